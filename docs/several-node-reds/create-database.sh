#!/bin/sh
# Makes the user and the database of the message store, in an empty PostgreSQL. The user owns this database and can do nothing else.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$MESSAGING_PASSWORD" --username="${POSTGRES_USER:-postgres}" --dbname=postgres <<'SQL'
CREATE ROLE messaging LOGIN PASSWORD :'password' NOSUPERUSER NOCREATEDB NOCREATEROLE CONNECTION LIMIT 50;
CREATE DATABASE messaging OWNER messaging ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE messaging FROM PUBLIC;
SQL

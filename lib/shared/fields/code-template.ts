const CODE = /\{\{\s*code\s*\}\}/;

/** Whether a template says where the code stands. */
export const hasCode = (template: string): boolean => CODE.test(template);

/** Whether a path meets one of the templates: `/users/{id}` is `/users/7`, and `/users/search` too. */
export function isDocumented(templates: readonly string[], path: string): boolean {
  const asked = path.split('/');
  return templates.some((template) => {
    const steps = template.split('/');
    return steps.length === asked.length && steps.every((step, at) => step.includes('{') || step === asked[at]);
  });
}

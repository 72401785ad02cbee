export async function buildTemplates(_url: string): Promise<void> {}

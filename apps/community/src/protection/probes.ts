/** Routes by which a balancer or an operator decides whether to restart this process or to send it requests. */
const probes: readonly (string | undefined)[] = ['/health/live', '/health/ready', '/metrics'];

/** Whether a route tells of the app what is for its operators, in production. */
export const isOperations = ({ url }: { readonly url: string }) => /^\/(?:metrics|docs)/.test(url);

/** Whether requests to a route are to be answered however much there is to do. */
export function isProbe({ url }: { readonly url?: string | undefined }): boolean {
  return probes.includes(url);
}

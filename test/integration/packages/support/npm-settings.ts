/**
 * What npm is told where a test installs from the registry. By itself it waits five minutes for an answer that was
 * lost.
 */
export const npmSettings = {
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_fetch_timeout: '30000',
  npm_config_fetch_retries: '5',
} as const;

/** Points in an OpenAPI document: how many decimals an app's have is its option. */
export const pointsField = { type: 'number', multipleOf: 0.01 } as const;

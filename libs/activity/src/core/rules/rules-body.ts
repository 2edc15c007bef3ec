import { pointsField } from '../points/decimals';

const text = { type: 'string' } as const;
const moment = { ...text, format: 'date-time' } as const;

/** A rule in an OpenAPI document. */
export const ruleSchema = {
  type: 'object' as const,
  required: ['action', 'points', 'revocable'],
  properties: {
    action: { ...text, example: 'praise' },
    points: { ...pointsField, example: 2 },
    revocable: { type: 'boolean' as const },
    during: {
      type: 'array' as const,
      items: {
        type: 'object' as const,
        required: ['points'],
        properties: {
          from: { ...moment, example: '2026-12-05T00:00:00+08:00' },
          until: { ...moment, example: '2026-12-07T00:00:00+08:00' },
          points: { ...pointsField, example: 4 },
          ownerPoints: pointsField,
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: true,
};

/** A limit in an OpenAPI document. */
export const limitSchema = {
  type: 'object' as const,
  required: ['type'],
  properties: { type: { ...text, example: 'daily' }, name: { ...text, example: 'praise-daily' } },
  additionalProperties: true,
};

/** Rules and limits as a body, for OpenAPI documents: each is as the module's options have it. */
export const rulesBodySchema = {
  type: 'object',
  required: ['rules'],
  additionalProperties: false,
  properties: { rules: { type: 'array', items: ruleSchema }, limits: { type: 'array', items: limitSchema } },
  example: {
    rules: [{ action: 'praise', points: 2, revocable: true, ownSubject: 'ignore', code: 'p' }],
    limits: [{ type: 'daily', action: 'praise', max: 50 }],
  },
};

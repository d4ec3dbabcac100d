import { type Logger, pino } from 'pino'
import { config } from './config.ts'

const secretNames = [
  'password',
  'newPassword',
  'currentPassword',
  'passwordHash',
  'pin',
  'token',
  'accessToken',
  'refreshToken',
  'secret',
  'apiKey',
  'authorization',
  'cookie',
  'gateCode',
  'cardNumber',
]

/** Where secrets may stand in a log record: at the top, one and two levels below. */
export const redactedPaths: string[] = secretNames
  .flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  .concat(['req.headers.authorization', 'req.headers.cookie', 'req.headers["x-api-key"]', 'res.headers["set-cookie"]'])

/** The log of this process: JSON lines to standard output, secrets replaced by [redacted]. */
export const log: Logger = pino({
  level: config.logLevel,
  base: { app: 'swath', role: config.role },
  redact: { paths: redactedPaths, censor: '[redacted]' },
  timestamp: pino.stdTimeFunctions.isoTime,
})

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

type DescribedError = { type: string; message: string; at: string[] } & Record<string, unknown>

/** What PostgreSQL says of an error without the values in it: its `detail`, `where` and `hint` quote rows. */
const databaseFields = ['code', 'constraint', 'table', 'column', 'routine'] as const

/** Data exceptions quote the value that did not fit. */
const withoutQuotes = (text: string): string => text.replace(/"[^"]*"/g, '"..."')

/**
 * An error as the log holds it: what it is, where it happened and what PostgreSQL names, never the rows and values that it quotes.
 * Anything but an error is only named by its type.
 */
export const describeError = (error: unknown): DescribedError | { type: string } => {
  if (!(error instanceof Error)) return { type: typeof error }
  const fields = error as unknown as Record<string, unknown>
  const quotes = typeof fields.code === 'string' && fields.code.startsWith('22')
  return {
    type: error.name,
    message: (quotes ? withoutQuotes(error.message) : error.message).slice(0, 300),
    ...Object.fromEntries(
      databaseFields.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
    ),
    at: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^ {4}at /.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  }
}

/** The log of this process: JSON lines to standard output, secrets replaced by [redacted]. */
export const log: Logger = pino({
  level: config.logLevel,
  base: { app: 'swath', role: config.role },
  redact: { paths: redactedPaths, censor: '[redacted]' },
  serializers: { err: describeError },
  timestamp: pino.stdTimeFunctions.isoTime,
})

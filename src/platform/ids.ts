import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

/** A new record id: UUIDv7, rising within one process, so that keys cluster by time. */
export const newId = (): string => v7()

/** An unguessable token of `bytes` random bytes (default 32 = 256 bits) as base64url. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')

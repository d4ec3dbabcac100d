import { createHash, timingSafeEqual } from 'node:crypto'
import { config } from '../../../platform/config.ts'
import { hmacToken } from '../../../platform/keys.ts'
import { AppError } from '../../../shared/errors.ts'

/** What a mail server of ours has to show; null when none is set up. On one's own computer only the simulator knows it. */
export const mailSecret = (): string | null =>
  config.mailInboundSecret ?? (config.production ? null : hmacToken('webhook-local', 'mail-inbound'))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** @throws forbidden unless the secret is the one that is set; with none set nothing is taken */
export const checkMailSecret = (authorization: string): void => {
  const secret = mailSecret()
  if (!secret || !timingSafeEqual(digest(authorization), digest(`Bearer ${secret}`)))
    throw new AppError('forbidden', 'The secret does not fit.')
}

import { hmacToken, isHmacToken } from '../keys.ts'
import type { HandOver } from '../mail/mailer.ts'

/** A text on its way to a handset. */
export type Text = { id: string; to: string; body: string }

/** The local phone takes every text; its replies and receipts come back as signed webhooks, as a provider's would. */
export const handOverText = async (text: Text): Promise<HandOver> => ({
  result: 'accepted',
  provider: 'local',
  providerId: `local-${text.id}`,
})

/** Signature of a webhook of the local phone over its raw body. */
export const signLocalSms = (rawBody: string): string => hmacToken('webhook-local', `sms:${rawBody}`)

export const isLocalSmsSignature = (rawBody: string, signature: string): boolean =>
  isHmacToken('webhook-local', `sms:${rawBody}`, signature)

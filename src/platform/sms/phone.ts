import { config } from '../config.ts'
import { hmacToken, isHmacToken } from '../keys.ts'
import type { SendResult } from '../mail/mailer.ts'
import type { Text } from './text.ts'
import { sendByTwilio, twilioSettings } from './twilio.ts'

/**
 * Hands a text over: to the SMS provider when one is set up, else on a computer of one's own to the local phone, whose replies and
 * receipts come back as signed webhooks, as a provider's would.
 * @throws when contact was lost after the provider may have accepted
 */
export const deliverText = async (text: Text): Promise<SendResult> => {
  const twilio = twilioSettings(config)
  if (twilio) return sendByTwilio(twilio, text)
  if (config.production)
    return { result: 'refused', reason: 'No SMS provider is set up on this server', suppressed: null }
  return { result: 'accepted', provider: 'local', providerId: `local-${text.id}`, livemode: false }
}

/** Signature of a webhook of the local phone over its raw body. */
export const signLocalSms = (rawBody: string): string => hmacToken('webhook-local', `sms:${rawBody}`)

export const isLocalSmsSignature = (rawBody: string, signature: string): boolean =>
  isHmacToken('webhook-local', `sms:${rawBody}`, signature)

import { config } from '../config.ts'
import type { SendResult } from '../mail/mailer.ts'
import type { Text } from './text.ts'
import { findAtTwilio, sendByTwilio, type Trace, twilioSettings } from './twilio.ts'

type Phone = (text: Text) => SendResult

const noPhone: Phone = () => ({
  result: 'refused',
  reason: 'No SMS provider is set up on this server',
  suppressed: null,
})
let played = noPhone

/** Says what becomes of texts on one's own computer; set at start. */
export const setPlayedPhone = (by: Phone): void => {
  played = by
}

/**
 * Hands a text over: to the SMS provider when one is set up, else on a computer of one's own to whoever plays the phone, whose replies and
 * receipts come back as signed webhooks, as a provider's would.
 * @throws when contact was lost after the provider may have accepted
 */
export const deliverText = async (text: Text): Promise<SendResult> => {
  const twilio = twilioSettings(config)
  if (twilio) return sendByTwilio(twilio, text)
  return (config.production ? noPhone : played)(text)
}

type Tracer = (text: Pick<Text, 'to' | 'body'>, since: string, known: ReadonlySet<string>) => Promise<Trace>

/** Asks the provider what became of a text whose answer was lost; null where there is nobody to ask. @throws when it does not answer */
export const traceText = (): Tracer | null => {
  const twilio = twilioSettings(config)
  return twilio ? (text, since, known) => findAtTwilio(twilio, text, since, known) : null
}

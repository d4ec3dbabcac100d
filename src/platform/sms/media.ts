import { config } from '../config.ts'
import type { FetchedMedium, Medium } from './text.ts'
import { fetchAtTwilio, twilioSettings } from './twilio.ts'

type Keeper = (businessId: string, medium: Medium) => Promise<FetchedMedium>

const nobody: Keeper = async () => ({ refused: 'no SMS provider is set up on this server' })
let played = nobody

/** Says who keeps what came with texts on one's own computer; set at start. */
export const setPlayedMedia = (by: Keeper): void => {
  played = by
}

/** Fetches what came with a text from the provider that is set up, and from nobody else. @throws while it does not answer */
export const fetchMedium: Keeper = async (businessId, medium) => {
  const twilio = twilioSettings(config)
  if (twilio) return fetchAtTwilio(twilio, medium.ref)
  return (config.production ? nobody : played)(businessId, medium)
}

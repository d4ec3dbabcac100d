import { setPlayedBooks } from '../platform/books/peer.ts'
import { setPlayedDns } from '../platform/dns.ts'
import { setPlayedMail } from '../platform/mail/mailer.ts'
import { setPlayedProvider } from '../platform/payments/providers.ts'
import { setPlayedPush } from '../platform/push/sender.ts'
import { setPlayedMedia } from '../platform/sms/media.ts'
import { setPlayedPhone } from '../platform/sms/phone.ts'
import { setWebhookProcessors } from '../platform/webhooks.ts'
import { localBooks } from './books/play.ts'
import { localNameServers } from './dns/store.ts'
import { localBilling } from './payments/billing.ts'
import { localSecret } from './payments/events.ts'
import { fetchPlayedMedium } from './phone/media.ts'
import { phoneWebhooks, processLocalSms } from './phone/processor.ts'
import { processLocalProspects, prospectWebhooks } from './prospects/processor.ts'

/** It stays where the screens of the simulators find it. */
const keep = ({ id }: { id: string }) =>
  ({ result: 'accepted', provider: 'local', providerId: `local-${id}`, livemode: false }) as const

/** Puts somebody who only plays it in the place of every provider that is not set up. Again is the same. */
export const playProviders = (): void => {
  setPlayedMail(keep)
  setPlayedPhone(keep)
  setPlayedMedia(fetchPlayedMedium)
  setPlayedPush(async () => ({ result: 'local' }))
  setPlayedProvider({ provider: localBilling, secrets: () => [localSecret()] })
  setPlayedBooks(localBooks)
  setPlayedDns(localNameServers)
  setWebhookProcessors({ [phoneWebhooks]: processLocalSms, [prospectWebhooks]: processLocalProspects })
}

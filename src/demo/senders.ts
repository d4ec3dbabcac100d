import { addSender, checkSender } from '../features/senders/domains/server/commands.ts'
import type { Details } from '../features/senders/registration/rules.ts'
import { markRegistration, saveRegistration } from '../features/senders/registration/server/commands.ts'
import { addLocalRecord } from '../local/dns/store.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { addDays, dayOf } from '../shared/dates.ts'
import { demoZone } from './business.ts'

const domain = 'palmettopine.example'
const atOnce = <T>(work: () => Promise<T>): Promise<T> => work()

/**
 * The business writes from its own address: its records stand on the name server of this computer, all but SPF, which helps and is not waited for. Its
 * number for texts is being registered.
 */
export const writeFromOwnDomain = async (owner: Actor): Promise<void> => {
  const { own } = await addSender(owner, `office@${domain}`, atOnce)
  for (const { kind, name, type, value } of own?.records ?? [])
    if (kind !== 'spf' && value !== null) await addLocalRecord({ name, type, value })
  await addLocalRecord({ name: domain, type: 'TXT', value: 'v=spf1 include:_spf.mailbox.example ~all' })
  await checkSender(owner, atOnce)
  const details: Details = {
    legalName: 'Palmetto & Pine Lawn Care LLC',
    entity: 'llc',
    ein: '580000000',
    street: '4 Yardman Way',
    city: 'Savannah',
    state: 'GA',
    zip: '31405',
    website: `https://${domain}`,
    email: `office@${domain}`,
    phone: '+18435550190',
  }
  const { version } = await saveRegistration(owner, { kind: 'local', details, version: 0 })
  const on = addDays(dayOf(clock.now(), demoZone), -3)
  await markRegistration(owner, { step: 'brand', state: 'sent', on, note: null, version })
}

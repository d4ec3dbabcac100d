import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { findingStates, recordKinds, senderStates } from './rules.ts'

/** One record to set where the domain was bought, and what the last look found there. */
export const SenderRecord = z.object({
  kind: z.enum(recordKinds),
  /** Without it no mail leaves from the address; the others help. */
  needed: z.boolean(),
  name: z.string(),
  type: z.literal('TXT'),
  /** What to set; null where there is nothing to set. */
  value: z.string().nullable(),
  state: z.enum(findingStates),
  words: z.string(),
  /** What stands there instead. */
  there: z.array(z.string()),
})
export type SenderRecord = z.output<typeof SenderRecord>

export const SenderDomain = z.object({
  address: z.string(),
  domain: z.string(),
  /** The domain as people write it, where that is another way. */
  shownDomain: z.string(),
  state: z.enum(senderStates),
  /** Everything was found, but another business of this server writes from the domain. */
  taken: z.boolean(),
  /** The record of the key was gone at the last look; at the next one mail goes back to Swath's address. */
  isMissing: z.boolean(),
  /** Since when the mail server takes nothing from it, in its words. */
  refused: z.object({ at: z.string(), reason: z.string() }).nullable(),
  records: z.array(SenderRecord),
  /** Since when the key of today signs. */
  signingSince: z.string().nullable(),
  /** The record that is not needed any more, and the instant until which it has to stay. */
  retired: z.object({ name: z.string(), until: z.string() }).nullable(),
  checkedAt: z.string().nullable(),
  nextLookAt: z.string().nullable(),
  version: z.number().int(),
})
export type SenderDomain = z.output<typeof SenderDomain>

export const Sender = z.object({
  own: SenderDomain.nullable(),
  /** The address that mail leaves from now. */
  leavesFrom: z.string(),
  /** The one of Swath, from which it leaves without an own one. */
  swathAddress: z.string(),
  /** Where the records of the played name server are set; null where DNS is the internet's. */
  localDnsPath: z.string().nullable(),
  can: z.object({
    add: z.boolean(),
    change: z.boolean(),
    check: z.boolean(),
    rotate: z.boolean(),
    keepKey: z.boolean(),
    remove: z.boolean(),
  }),
})
export type Sender = z.output<typeof Sender>

const address = z.string().trim().min(1, 'Write the address that customers see.').max(300, 'This address is too long.')
const version = z.object({ version: z.number().int() })
const change = { access: 'office', permission: 'settings', response: Sender } as const

export const senderApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/sender',
    access: 'office',
    response: Sender,
    summary: 'The address that mail to customers leaves from, and the records that an own one needs',
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/sender',
    ...change,
    needsSubscription: true,
    idempotent: 'steps',
    body: z.object({ address }),
    summary: 'Begins with an address at an own domain: makes its key and says which records to set',
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/sender',
    ...change,
    needsSubscription: true,
    idempotent: true,
    body: version.extend({ address }),
    summary: 'Another address at the same domain; nothing has to be proven anew',
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/sender/check',
    ...change,
    needsSubscription: true,
    idempotent: 'steps',
    summary: 'Asks DNS for the records now',
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/sender/rotate',
    ...change,
    needsSubscription: true,
    idempotent: 'steps',
    body: version,
    summary: 'Makes a new key; the old one signs until the record of the new one was seen',
  }),
  keepKey: endpoint({
    method: 'POST',
    path: '/api/sender/keep-key',
    ...change,
    idempotent: true,
    body: version,
    summary: 'Drops a new key whose record was never seen',
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/sender/remove',
    ...change,
    idempotent: true,
    body: version,
    summary: 'Mail leaves from Swath’s address again; the keys are deleted',
  }),
}

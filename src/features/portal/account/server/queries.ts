import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { ContactKind, ContactWays } from '../../../customers/contacts/rules.ts'
import { standingOf } from '../../../messages/consents/rules.ts'
import { listAddressFacts } from '../../../messages/consents/server/queries.ts'
import { findSuppression } from '../../../messages/server/queries.ts'
import type { Person } from '../../server/queries.ts'
import { listLawns } from '../../services/server/queries.ts'

export type AccountPage = {
  name: string
  email: string | null
  phone: string | null
  language: 'en' | 'es'
  /** Of a customer; null for a contact, who has a way for each kind. */
  paperWay: 'email' | 'text' | 'both' | null
  /** Offers only where they may be sent: who never agreed gets none, whatever the record says. */
  gets: ContactKind[]
  /** The record would send them offers, once they agree. */
  offersOnRecord: boolean
  billing: { street: string; city: string; state: string; zip: string }
  /** Why no text reaches them, as "They replied STOP". */
  noTexts: boolean
  version: number
  properties: { propertyId: string; street: string; unit: string; city: string; state: string; zip: string }[]
}

const kinds: readonly ContactKind[] = ['invoices', 'quotes', 'visits', 'marketing']

const agreedToOffers = async (db: TenantDb, { customerId, email, phone }: Person): Promise<boolean> =>
  (await listAddressFacts(db, customerId)).some(
    (one) => [email?.toLowerCase(), phone].includes(one.address) && standingOf(one) === 'agreed',
  )

/** What a person may see and change of their own data. */
export const getAccount = async (db: TenantDb, person: Person): Promise<AccountPage> => {
  const properties = (await listLawns(db, person.customerId)).map(
    ({ lawnSquareFeet: _, bedSquareFeet: __, edgeFeet: ___, difficulty: ____, ...place }) => place,
  )
  const agreed = await agreedToOffers(db, person)
  const shown = (all: readonly ContactKind[]) => all.filter((kind) => kind !== 'marketing' || agreed)
  const noTexts = person.phone !== null && (await findSuppression(db, 'sms', person.phone))?.purpose === 'all'
  const customer = await db
    .selectFrom('customers')
    .select([
      'name',
      'email',
      'phone',
      'language',
      'paperWay',
      'gets',
      'billingStreet',
      'billingCity',
      'billingState',
      'billingZip',
      'version',
    ])
    .where('businessId', '=', db.businessId)
    .where('id', '=', person.customerId)
    .executeTakeFirstOrThrow()
  const billing = {
    street: customer.billingStreet ?? '',
    city: customer.billingCity ?? '',
    state: customer.billingState ?? '',
    zip: customer.billingZip ?? '',
  }
  if (person.contactId === null)
    return {
      ...customer,
      language: customer.language as 'en' | 'es',
      paperWay: customer.paperWay as AccountPage['paperWay'],
      gets: shown(customer.gets as ContactKind[]),
      offersOnRecord: customer.gets.includes('marketing'),
      billing,
      noTexts,
      properties,
    }
  const contact = await db
    .selectFrom('customerContacts')
    .select(['name', 'email', 'phone', 'invoicesBy', 'quotesBy', 'visitsBy', 'marketingBy', 'version'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', person.contactId)
    .executeTakeFirstOrThrow()
  return {
    name: contact.name,
    email: contact.email,
    phone: contact.phone,
    version: contact.version,
    language: customer.language as 'en' | 'es',
    paperWay: null,
    gets: shown(kinds.filter((kind) => (contact as ContactWays)[`${kind}By`] !== null)),
    offersOnRecord: contact.marketingBy !== null,
    billing,
    noTexts,
    properties,
  }
}

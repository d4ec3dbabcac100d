import { config } from '../../../../platform/config.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { paths } from '../../../../shared/paths.ts'
import type { SenderRegistration } from '../contract.ts'
import { campaignTexts, type Details, type Registration, stepsOf } from '../rules.ts'

export const findRegistration = (db: TenantDb, lock = false) =>
  db
    .selectFrom('senderRegistrations')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
type Row = NonNullable<Awaited<ReturnType<typeof findRegistration>>>

const businessOf = (db: TenantDb) =>
  db
    .selectFrom('businesses')
    .select(['name', 'slug', 'street', 'city', 'state', 'zip', 'email', 'phone'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()

const nothing = { state: 'open', on: null, note: null } as const

/** What is kept, else what the business said of itself elsewhere. */
export const registrationOf = async (db: TenantDb, row: Row | undefined): Promise<Registration> => {
  if (row)
    return {
      kind: row.kind,
      details: row.details as Details,
      brand: { state: row.brand, on: row.brandOn, note: row.brandNote },
      campaign: { state: row.campaign, on: row.campaignOn, note: row.campaignNote },
    }
  const business = await businessOf(db)
  return {
    kind: null,
    details: {
      legalName: business.name,
      entity: null,
      ein: '',
      street: business.street ?? '',
      city: business.city ?? '',
      state: business.state,
      zip: business.zip ?? '',
      website: '',
      email: business.email ?? '',
      phone: business.phone,
    },
    brand: nothing,
    campaign: nothing,
  }
}

export const getRegistration = async (db: TenantDb): Promise<SenderRegistration> => {
  const row = await findRegistration(db)
  const registration = await registrationOf(db, row)
  const { name, slug } = await businessOf(db)
  const urls = {
    page: registration.details.website || absoluteUrl(paths.publicProfile(slug)),
    terms: `${config.publicUrl}${paths.smsTerms}`,
    privacy: `${config.publicUrl}${paths.privacy}`,
  }
  return { ...registration, steps: stepsOf(registration), texts: campaignTexts(name, urls), version: row?.version ?? 0 }
}

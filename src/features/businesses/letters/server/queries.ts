import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { type LetterPart, link, small, type WrittenLetter, writeLetter } from '../../../../platform/mail/letter.ts'
import { paths } from '../../../../shared/paths.ts'
import type { Language } from '../../notices/rules.ts'
import { contactOf, type Sender } from '../../rules.ts'

/** The one frame of a business's mails to its customers: who writes above, how they are reached and the portal below. */

/** Where customers sign in; null while the business has its portal off. */
export const getPortalUrl = async (db: TenantDb): Promise<string | null> => {
  const { rows } = await sql<{ slug: string }>`
    select b.slug from businesses b left join portal_settings p on p.business_id = b.business_id
    where b.business_id = ${db.businessId} and b.closed_at is null and coalesce(p.enabled, true)`.execute(db)
  return rows[0] ? absoluteUrl(paths.portal(rows[0].slug)) : null
}

/** Who writes to customers. */
export const getLetterSender = async (db: TenantDb): Promise<Sender & { portalUrl: string | null }> => ({
  ...(await db
    .selectFrom('businesses')
    .select(['name', 'phone', 'email', 'brandColor'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()),
  portalUrl: await getPortalUrl(db),
})

const portalLabel: Record<Language, string> = {
  en: 'Your visits, bills and quotes in one place',
  es: 'Sus visitas, facturas y cotizaciones en un solo lugar',
}

type CustomerLetter = {
  language: Language
  title?: string
  parts: readonly LetterPart[]
  /** What the law asks for under an offer; stands last. */
  foot?: readonly LetterPart[]
}

/** A letter of a business to a customer. A sender without `portalUrl` leads to no portal. */
export const customerLetter = (sender: Sender, { language, title, parts, foot = [] }: CustomerLetter): WrittenLetter =>
  writeLetter({
    language,
    from: sender.name,
    brandColor: sender.brandColor,
    ...(title === undefined ? {} : { title }),
    parts: [
      ...parts,
      small([sender.name, contactOf(sender)].filter(Boolean).join('\n')),
      ...(sender.portalUrl ? [link(portalLabel[language], sender.portalUrl)] : []),
      ...foot,
    ],
  })

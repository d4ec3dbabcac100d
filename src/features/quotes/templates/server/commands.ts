import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { getServices } from '../../../services/server/queries.ts'
import { QuoteContent } from '../../contract.ts'
import { contentProblem } from '../../rules.ts'
import { lockQuoteTx } from '../../server/rows.ts'
import type { QuoteTemplate, quoteTemplatesApi } from '../contract.ts'
import { getTemplate, mostTemplates } from './queries.ts'

const checkName = async (db: TenantDb, name: string, except: string | null): Promise<void> => {
  const rows = await db
    .selectFrom('quoteTemplates')
    .select(['id', 'name'])
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .limit(mostTemplates)
    .execute()
  if (rows.some((row) => row.id !== except && row.name.toLowerCase() === name.toLowerCase()))
    throw invalid([{ path: 'name', message: 'Another template is called so.' }])
  if (except === null && rows.length >= mostTemplates)
    throw conflict(`There are ${mostTemplates} templates already. Archive one first. Nothing was saved.`)
}

export const createTemplate = (
  actor: Actor,
  { name, fromQuoteId }: z.output<typeof quoteTemplatesApi.create.body>,
): Promise<QuoteTemplate> =>
  withTenant(actor, async (db) => {
    await checkName(db, name, null)
    const content = fromQuoteId ? (await lockQuoteTx(db, fromQuoteId)).content : QuoteContent.parse({})
    const id = newId()
    const now = clock.iso()
    await db
      .insertInto('quoteTemplates')
      .values({
        businessId: db.businessId,
        id,
        name,
        // photos show one property
        content: JSON.stringify({ ...content, photoIds: [], day: null }),
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await audit(db, actor, 'quote.template', { type: 'quote_template', id }, { after: { name } })
    await publishChange(db, 'quotes')
    return getTemplate(db, id)
  })

const lock = async (db: TenantDb, id: string, version: number) => {
  const row = await db
    .selectFrom('quoteTemplates')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('template')
  requireVersion(row, version, 'this template')
  return { ...row, content: row.content as unknown as QuoteContent }
}

const write = async (
  db: TenantDb,
  id: string,
  version: number,
  change: { name?: string; content?: string; archivedAt?: string },
): Promise<QuoteTemplate> => {
  await db
    .updateTable('quoteTemplates')
    .set({ ...change, version: version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  await publishChange(db, 'quotes')
  return getTemplate(db, id)
}

export const updateTemplate = (
  actor: Actor,
  id: string,
  { name, message, terms, lines, version }: z.output<typeof quoteTemplatesApi.update.body>,
): Promise<QuoteTemplate> =>
  withTenant(actor, async (db) => {
    const row = await lock(db, id, version)
    if (name) await checkName(db, name, id)
    const content = {
      ...row.content,
      ...(message === undefined ? {} : { message }),
      ...(terms === undefined ? {} : { terms }),
      ...(lines === undefined ? {} : { lines }),
    }
    if (lines) {
      const problem = contentProblem(content)
      if (problem) throw invalid([problem])
      await getServices(
        db,
        lines.map(({ serviceId }) => serviceId),
      )
    }
    await audit(
      db,
      actor,
      'quote.template',
      { type: 'quote_template', id },
      { after: { name, message, terms, ...(lines ? { lines: lines.length } : {}) } },
    )
    return write(db, id, version, {
      ...(name ? { name } : {}),
      content: JSON.stringify(content),
    })
  })

export const archiveTemplate = (actor: Actor, id: string, version: number): Promise<QuoteTemplate> =>
  withTenant(actor, async (db) => {
    await lock(db, id, version)
    await audit(db, actor, 'quote.template', { type: 'quote_template', id }, { after: { archived: true } })
    return write(db, id, version, { archivedAt: clock.iso() })
  })

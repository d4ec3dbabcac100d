import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { PersonDocument } from '../contract.ts'
import { mostDocuments } from '../rules.ts'

const columns = sql`
  d.id, d.user_id as "userId", d.kind, d.name, d.expires_on as "expiresOn", d.mime, d.byte_count as "byteCount", a.name as "addedBy",
  d.created_at as "addedAt", d.removed_at is not null as removed, d.version`
const tables = sql`person_documents d left join users a on a.business_id = d.business_id and a.id = d.added_by`

/** What is on the list of a person, the newest first. */
export const listDocuments = async (db: TenantDb, userId: string): Promise<PersonDocument[]> => {
  const { rows } = await sql<PersonDocument>`
    select ${columns} from ${tables} where d.business_id = ${db.businessId} and d.user_id = ${userId} and d.removed_at is null
    order by d.created_at desc, d.id desc limit ${mostDocuments}`.execute(db)
  return rows
}

/** One document, also one that was taken off. @throws AppError not_found */
export const getDocument = async (db: TenantDb, id: string): Promise<PersonDocument> => {
  const { rows } = await sql<PersonDocument>`
    select ${columns} from ${tables} where d.business_id = ${db.businessId} and d.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('document')
  return rows[0]
}

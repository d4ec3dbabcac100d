import { sql } from 'kysely'
import type { ProspectsDb } from '../../../../platform/db/prospects.ts'
import type { FailedTask } from '../contract.ts'
import { mostListed, withoutPersonalData } from '../rules.ts'

type Row = {
  id: string
  task: string
  businessId: string | null
  attempts: number
  lastError: string | null
  createdAt: string
  failedAt: string
}

export const listFailedTasks = async (db: ProspectsDb): Promise<{ items: FailedTask[]; more: boolean }> => {
  const { rows } = await sql<Row>`select * from tasks.list_failed(${mostListed + 1})`.execute(db)
  const items = rows.slice(0, mostListed).map((row) => ({
    ...row,
    id: String(row.id),
    lastError: withoutPersonalData(row.lastError ?? ''),
  }))
  return { items, more: rows.length > mostListed }
}

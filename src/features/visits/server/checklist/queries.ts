import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** What a crew ticks off on a visit. */

export type ChecklistItem = { text: string; es?: string; required: boolean; photo?: boolean | undefined }

/** Items of stored lists, each text once; what is stored by others is not trusted to have a shape. */
const itemsOf = (...lists: readonly unknown[]): ChecklistItem[] => [
  ...new Map(
    lists.flat(2).flatMap((item): [string, ChecklistItem][] => {
      if (typeof item === 'string') return [[item, { text: item, required: false }]]
      const { text, es, required, photo } = (item ?? {}) as Record<'text' | 'es' | 'required' | 'photo', unknown>
      return typeof text === 'string'
        ? [
            [
              text,
              {
                text,
                ...(typeof es === 'string' && es ? { es } : {}),
                required: required === true,
                ...(photo === true ? { photo } : {}),
              },
            ],
          ]
        : []
    }),
  ).values(),
]

/**
 * What is to be ticked on a visit: its own items, else those of its services. What was copied to the visit before somebody wrote the Spanish has it
 * from the service.
 */
export const listOf = (own: unknown, live: readonly unknown[]): ChecklistItem[] => {
  const known = itemsOf(live)
  if (own === null || own === undefined) return known
  const spanish = new Map(known.map(({ text, es }) => [text, es]))
  return itemsOf(own).map((item) => {
    const es = item.es ?? spanish.get(item.text)
    return es ? { ...item, es } : item
  })
}

/** The items of a visit: its own once somebody ticked or finished, until then those of its services. */
export const checklistOf = async (db: TenantDb, visitId: string): Promise<ChecklistItem[]> => {
  const { rows } = await sql<{ own: unknown; live: unknown[] }>`
    select v.checklist as own, coalesce((select jsonb_agg(s.checklist order by l.position, l.id) from visit_lines l
      join services s on s.business_id = l.business_id and s.id = l.service_id
      where l.business_id = v.business_id and l.visit_id = v.id), '[]') as live
    from visits v where v.business_id = ${db.businessId} and v.id = ${visitId}`.execute(db)
  const row = rows[0]
  return row ? listOf(row.own, row.live) : []
}

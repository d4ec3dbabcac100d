import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** What speaks against asking a customer about a visit `v`: asked before one leaves, while it waits, and of the past. */

/** Why nobody is asked about a visit that is done, the first that holds. */
export const notAsked = {
  archived: 'The customer is archived',
  task: 'A task of the office about them is open',
  unread: 'Wrote something that nobody has read yet',
  dispute: 'Disputes a payment',
} as const
export type NotAsked = keyof typeof notAsked

export const speaksAgainst: Readonly<Record<NotAsked, RawBuilder<SqlBool>>> = {
  archived: sql<SqlBool>`not exists (select 1 from customers c
    where c.business_id = v.business_id and c.id = v.customer_id and c.archived_at is null)`,
  task: sql<SqlBool>`exists (select 1 from office_tasks t
    where t.business_id = v.business_id and t.customer_id = v.customer_id and t.done_at is null)`,
  unread: sql<SqlBool>`exists (select 1 from messages m
    where m.business_id = v.business_id and m.customer_id = v.customer_id and m.direction = 'inbound' and m.opened_at is null)`,
  dispute: sql<SqlBool>`exists (select 1 from disputes d
    join payments p on p.business_id = d.business_id and p.id = d.payment_id
    where d.business_id = v.business_id and p.customer_id = v.customer_id and d.status in ('needs_response', 'under_review'))`,
}

/** It is done and nothing speaks against it. */
export const mayAsk = sql<SqlBool>`
  v.status = 'completed' and not ${speaksAgainst.archived} and not ${speaksAgainst.task} and not ${speaksAgainst.unread}
  and not ${speaksAgainst.dispute}`

/** An ask `a` that reached somebody, or still may: what was taken back or never left bothered nobody, and spares nobody the next one. */
export const bothered = sql<SqlBool>`
  a.recalled_at is null
  and (exists (select 1 from messages w
      where w.business_id = a.business_id and w.entity_type = 'review_ask' and w.entity_id = a.id
        and w.status not in ('suppressed', 'failed'))
    or not exists (select 1 from messages w
      where w.business_id = a.business_id and w.entity_type = 'review_ask' and w.entity_id = a.id))`

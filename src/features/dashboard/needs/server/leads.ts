import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, daysBetween } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { waitOf } from '../../../leads/rules.ts'
import { listDueLeads, listUnanswered } from '../../../leads/server/queries.ts'
import type { Need } from '../../contract.ts'

const mostShown = 20
/** So long a lead waits before it stands here. */
const waitMinutes = 15

const whose = (assignee: string | null): string => (assignee ? `${assignee}: ` : '')

/** Leads that wait for a first answer, and next steps that are due. */
export const leadsToAnswer = async (db: TenantDb, today: Day): Promise<Need[]> => {
  const unanswered = await listUnanswered(db, waitMinutes, mostShown)
  const due = await listDueLeads(db, today, mostShown)
  return [
    ...unanswered.map(({ id, name, wants, askedAt, assignee }): Need => {
      const wait = waitOf({ stage: 'new', repliedAt: null, askedAt }, clock.nowMs())
      const path = linkTo.lead(id)
      return {
        id: `lead:${id}`,
        kind: 'lead',
        badge: 'Lead',
        tone: wait?.tone === 'late' ? 'late' : 'wait',
        title: `${name} waits for an answer`,
        detail: `${whose(assignee)}${wait?.text ?? ''}${wants ? ` · ${wants.slice(0, 80)}` : ''}`,
        amountCents: null,
        path,
        action: { kind: 'open', label: 'Answer', path },
      }
    }),
    ...due
      .filter(({ id }) => !unanswered.some((one) => one.id === id))
      .map(({ id, name, nextAction, nextActionOn, assignee }): Need => {
        const late = daysBetween(nextActionOn, today)
        const path = linkTo.lead(id)
        return {
          id: `lead:${id}`,
          kind: 'lead',
          badge: 'Next step',
          tone: late > 0 ? 'late' : 'wait',
          title: `${name}: ${nextAction || 'follow up'}`,
          detail: `${whose(assignee)}${late === 0 ? 'today' : late === 1 ? 'yesterday' : `${late} days ago`}`,
          amountCents: null,
          path,
          action: { kind: 'open', label: 'Open', path },
        }
      }),
  ]
}

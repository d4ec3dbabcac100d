import { database } from '../../../../platform/db/database.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import { asBusinessId } from '../../../../platform/db/tenant.ts'
import { subscriber } from '../../../../platform/events/events.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { forEach } from '../../../../platform/tasks/walk.ts'
import { advance } from './commands.ts'
import { noteMilestones } from './milestones.ts'

// What a business does ticks its Sprint. The events carry nothing of it but whose they are.
export const onCustomersImported = subscriber({
  name: 'sprint.customersImported',
  on: 'import.finished',
  run: (actor) => noteMilestones(actor),
})
export const onRoutePublished = subscriber({
  name: 'sprint.routePublished',
  on: 'route.published',
  run: (actor) => noteMilestones(actor),
})
export const onInvoiceIssued = subscriber({
  name: 'sprint.invoiceIssued',
  on: 'invoice.issued',
  run: (actor) => noteMilestones(actor),
})

// An account opened under the address of a lead, and the day it begins to pay, show on the desk at once.
export const onAccountOpened = subscriber({
  name: 'leads.accountOpened',
  on: 'account.opened',
  run: (actor) => noteMilestones(actor),
})
export const onSubscriptionChanged = subscriber({
  name: 'leads.subscriptionChanged',
  on: 'subscription.changed',
  run: (actor) => noteMilestones(actor),
})

const batch = 500

/** Ties leads to accounts that were made since, ticks what no event tells (services, profile, team), and ends Sprints whose time is over. */
export const walkSprints: GlobalTask = {
  name: 'prospects.sprints',
  run: async () => {
    const failures: unknown[] = []
    const note = (error: unknown): void => void failures.push(error)
    let after = ''
    for (;;) {
      const leads = await withProspects((db) =>
        db.selectFrom('leads').select('email').where('email', '>', after).orderBy('email').limit(batch).execute(),
      )
      after = leads.at(-1)?.email ?? ''
      if (leads.length === 0) break
      const accounts = await database()
        .selectFrom('accountEmails')
        .select('businessId')
        .distinct()
        .where(
          'email',
          'in',
          leads.map(({ email }) => email),
        )
        .execute()
      await forEach(
        'the milestones of leads',
        accounts,
        ({ businessId }) => ({ businessId }),
        ({ businessId }) => noteMilestones({ businessId: asBusinessId(businessId) }),
      ).catch(note)
    }
    const open = await withProspects((db) =>
      db.selectFrom('sprints').select('id').where('status', 'in', ['admitted', 'running']).execute(),
    )
    await forEach(
      'the walk over Sprints',
      open,
      ({ id }) => ({ sprintId: id }),
      ({ id }) =>
        withProspects(async (db) => {
          const row = await db.selectFrom('sprints').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
          if (row) await advance(db, row)
        }),
    ).catch(note)
    if (failures.length > 0) throw failures[0]
  },
}

export const walkSprintsSchedule: Schedule = { task: walkSprints.name, match: '10 * * * *' }

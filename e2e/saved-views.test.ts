import { expect, test } from 'vitest'
import { employeesApi } from '../src/features/employees/contract.ts'
import { jobsApi } from '../src/features/jobs/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { addDays } from '../src/shared/dates.ts'
import { permissionPresets } from '../src/shared/roles.ts'
import { aCrew, aLawn, today } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, password, step } from './fixtures.ts'

/** A filter of the jobs that is kept, shared, changed, opened by a link, and outlives its crew. */

const { openPage } = withBrowser({ afresh: 'file' })

test.each(widths(1440))(
  'at %i pixels a view is saved, shared, changed, opened by its link and deleted',
  async (width) => {
    const { business, owner, timeZone, people } = await aNewBusiness()
    const { items } = await business.api.ok(servicesApi.addDefaults, {})
    const crewId = await aCrew(business, { name: 'North crew' })
    const day = addDays(today(), 60)
    for (const [customer, street, crew] of [
      ['Ann Odom', '1 Oak St', crewId],
      ['Ben Pruitt', '2 Elm St', null],
    ] as const) {
      const { propertyId } = await aLawn(business, { customer, street })
      await business.api.ok(jobsApi.create, {
        body: {
          propertyId,
          crewId: crew,
          startOn: day,
          lines: [{ serviceId: items[0]?.id ?? '', recurrence: null, onceOn: day, unitPriceCents: 5000 }],
        } as never,
      })
    }
    const at = { timezoneId: timeZone, width }
    const { page } = await openPage({ ...at, as: owner, path: '/jobs?tab=manage' })
    const current = (hasText: string) => page.locator('.ui-views [aria-current]', { hasText })
    const row = (name: string) => page.getByText(name, { exact: true })
    await row('Ben Pruitt').waitFor()
    await step('what the list shows is saved for the office, once', async () => {
      await page.getByLabel('Crew', { exact: true }).selectOption({ label: 'North crew' })
      await row('Ben Pruitt').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Save view' }).click()
      const dialog = page.getByRole('dialog', { name: 'Save this view' })
      await dialog.getByRole('textbox', { name: 'Name' }).fill('North side')
      await dialog.getByRole('checkbox', { name: 'Share it with the office' }).check()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Save the view' }).dblclick()
      await current('North side').waitFor()
      await page.waitForURL(/saved=[0-9a-f-]{36}$/)
      await expectAccessible(page)
    })
    const link = new URL(page.url())
    await step('a colleague opens the link in another tab, and sees later what it is then', async () => {
      const [tess] = people
      await business.db((db) =>
        db
          .updateTable('users')
          .set({ role: 'Admin', permissions: [...permissionPresets.dispatcher] })
          .where('id', '=', tess?.userId ?? '')
          .execute(),
      )
      const as = { email: tess?.email ?? '', password }
      const second = (await openPage({ ...at, as, path: `${link.pathname}${link.search}` })).page
      await second.getByText('Ann Odom', { exact: true }).waitFor()
      expect(await second.getByText('Ben Pruitt', { exact: true }).count()).toBe(0)
      await page.getByRole('searchbox', { name: 'Find a job' }).fill('nobody')
      await page.getByText('No job fits').waitFor()
      await page.getByText('Changed from “North side”.').waitFor()
      await page.getByRole('button', { name: 'Undo the changes' }).click()
      await row('Ann Odom').waitFor()
      await page.getByLabel('Crew', { exact: true }).selectOption('')
      await row('Ben Pruitt').waitFor()
      await page.getByRole('searchbox', { name: 'Find a job' }).fill('Elm')
      await row('Ann Odom').waitFor({ state: 'detached' })
      // The colleague is about to change it too, from what it showed before.
      await second.getByRole('searchbox', { name: 'Find a job' }).fill('Oak')
      await second.getByText('Changed from “North side”').waitFor()
      await page.getByRole('button', { name: 'Save changes to view' }).dblclick()
      await page.getByText('Changed from').waitFor({ state: 'detached' })
      await second.getByText('Somebody saved something else as “North side”').waitFor()
      expect(await second.getByRole('button', { name: 'Save changes to view' }).count()).toBe(0)
      await second.getByRole('button', { name: 'Replace it with mine' }).click()
      await second.getByText('What the other person saved is lost, for everybody in the office.').waitFor()
      await expectAccessible(second)
      await second.getByRole('button', { name: 'Cancel' }).click()
      await second.getByRole('button', { name: 'Show what is saved' }).click()
      await second.getByText('Ben Pruitt', { exact: true }).waitFor()
      expect(await second.getByText('Ann Odom', { exact: true }).count()).toBe(0)
    })
    const menu = async (name: string) => {
      await page.getByRole('button', { name: 'Change this view' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await step('the list opens with it, and the list of all jobs is one press away', async () => {
      await menu('Open the list with it')
      await page.getByText('opens with “North side”').waitFor()
      await page.goto('/jobs?tab=manage')
      await current('North side').waitFor()
      await row('Ben Pruitt').waitFor()
      await page.getByRole('link', { name: /^Active/ }).click()
      await row('Ann Odom').waitFor()
      await page.reload()
      await row('Ann Odom').waitFor()
    })
    await step('it outlives its crew, and says so', async () => {
      await page.getByLabel('Crew', { exact: true }).selectOption({ label: 'North crew' })
      await row('Ben Pruitt').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Save view' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('North side')
      await page.getByRole('button', { name: 'Save the view' }).click()
      await page.getByText('You have a view of this name. Choose another one.').waitFor()
      await page.getByRole('textbox', { name: 'Name' }).fill('Of the crew')
      await page.getByRole('button', { name: 'Save the view' }).click()
      await current('Of the crew').waitFor()
      await business.api.ok(employeesApi.archiveCrew, { params: { id: crewId } })
      await page.reload()
      await page.getByText('The crew of this view is archived, so the list shows the jobs of all crews.').waitFor()
      await row('Ann Odom').waitFor()
      await row('Ben Pruitt').waitFor()
      await expectAccessible(page)
    })
    await step('it is deleted after a question', async () => {
      await menu('Delete')
      await page.getByRole('button', { name: 'Delete the view' }).click()
      await page.getByRole('link', { name: 'Of the crew' }).waitFor({ state: 'detached' })
      await current('Active').waitFor()
    })
  },
)

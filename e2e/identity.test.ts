import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { clock } from '../src/platform/clock.ts'
import { totpCode } from '../src/platform/totp.ts'
import type { TestBusiness } from '../src/test/factories.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { aNewBusiness, password } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })

/** What lies under a dialog is looked at where it belongs. */
const behind = { exclude: ['.brand-fields__well'] }

const invitationTo = async (business: TestBusiness, address: string): Promise<string> => {
  const { bodyText } = await business.db((db) =>
    db
      .selectFrom('messages')
      .select('bodyText')
      .where('businessId', '=', business.id)
      .where('address', '=', address)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow(),
  )
  return /\/employee-invite\/[\w-]{43}/.exec(bodyText)?.[0] ?? ''
}
const at = (page: Page) => expect.poll(() => new URL(page.url()).pathname, { timeout: 20_000 })

describe('joining a team', () => {
  it('an owner invites by text; the crew member sets a PIN, lands on the day, and comes back by phone and PIN', async () => {
    const { business, owner } = await aNewBusiness()
    const office = await openPage({ as: owner, path: '/employees?tab=create' })
    await office.page.getByLabel('Name', { exact: true }).fill('Beto Cruz')
    await office.page.getByRole('textbox', { name: /^Mobile phone/ }).fill('(912) 555-0177')
    await office.page.getByRole('button', { name: 'Add Beto Cruz' }).click()
    await office.page.getByRole('region', { name: 'Sign-in' }).getByText('Invited').waitFor()
    await expectAccessible(office.page)
    expectQuiet(office.complaints)

    const phone = await openPage({ width: 390, path: await invitationTo(business, '+19125550177') })
    await phone.page.getByRole('heading', { name: 'Join Marsh Side Lawns' }).waitFor()
    await expectAccessible(phone.page)
    await phone.page.getByLabel('PIN', { exact: true }).fill('123456')
    await phone.page.getByLabel('PIN again').fill('123456')
    await phone.page.getByRole('button', { name: 'Join and sign in' }).click()
    await phone.page.getByText('This PIN is too easy to guess.').waitFor()
    await phone.page.getByLabel('PIN', { exact: true }).fill('482135')
    await phone.page.getByLabel('PIN again').fill('482135')
    await phone.page.getByRole('button', { name: 'Join and sign in' }).click()
    await at(phone.page).toBe('/employee-dashboard')
    // the crew app is a page of its own: the address is there before it is
    await phone.page.getByRole('navigation', { name: 'Main' }).waitFor()

    // Signed out by the office's word or the person's own; the phone stays known.
    await business.db((db) =>
      db.updateTable('sessions').set({ revokedAt: clock.iso() }).where('businessId', '=', business.id).execute(),
    )
    await phone.page.goto('/signin')
    // This phone has signed in by PIN: it asks for nothing else.
    await phone.page.getByLabel('Phone number').waitFor()
    await expectAccessible(phone.page)
    await phone.page.getByLabel('Phone number').fill('9125550177')
    await phone.page.getByLabel('PIN', { exact: true }).fill('482135')
    await phone.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await at(phone.page).toBe('/employee-dashboard')

    const twice = await openPage({ path: await invitationTo(business, '+19125550177') })
    await twice.page.getByText('This invitation was taken already.').waitFor()
    await expectAccessible(twice.page)
  })
})

describe('signing in with Google', () => {
  it('leads through the local identity provider to a business of one’s own, and back in', async () => {
    const { page, complaints } = await openPage({ path: '/signin' })
    const choose = async (email: string) => {
      await page.getByRole('button', { name: 'Sign in with Google' }).click()
      await page.getByRole('heading', { name: 'Who do you want to be?' }).waitFor()
      await expectAccessible(page)
      await page.getByLabel('E-mail', { exact: true }).fill(email)
      await page.getByLabel('Name').fill('Gina Marsh')
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    const email = `${crypto.randomUUID()}@local.test`
    await choose(email)
    await page.getByRole('heading', { name: 'Create your account' }).waitFor()
    await expectAccessible(page)
    expect(await page.getByLabel('Your name').inputValue()).toBe('Gina Marsh')
    await page.getByLabel('Business name').fill('Gina’s Lawns')
    await page.getByLabel('How many customers do you have?').selectOption({ index: 1 })
    await page.getByLabel('How big is your team?').selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Create account' }).click()
    await at(page).toBe('/pricing')
    expectQuiet(complaints)
  })

  it('asks for the password of an account with this e-mail, and says what went wrong', async () => {
    const { owner } = await aNewBusiness()
    const { page } = await openPage({ path: '/signin' })
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('You canceled at Google.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try again with Google' }).click()
    await page.getByLabel('E-mail', { exact: true }).fill(owner.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Is this your account?' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Connect and sign in' }).click()
    await at(page).toBe('/dashboard')
  })
})

describe('the second step', () => {
  it('is set up from the profile and asked at the next sign-in', async () => {
    const { owner } = await aNewBusiness()
    const { page, context, complaints } = await openPage({ as: owner, path: '/profile?section=security' })
    const row = page.locator('.own-row', { hasText: 'Second step' })
    await row.getByRole('button', { name: 'Set up' }).click()
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
    const key = (await page.locator('.two-key code').textContent())?.replace(/\s/g, '') ?? ''
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await expectAccessible(page, behind)
    await page.getByLabel('Code', { exact: true }).fill(totpCode(key, clock.nowMs()))
    await page.getByRole('button', { name: 'Switch it on' }).click()
    const codes = page.getByRole('dialog').getByRole('listitem')
    await expect.poll(() => codes.count()).toBe(10)
    const recovery = (await codes.first().textContent()) ?? ''
    await expectAccessible(page, behind)
    await page.getByLabel('I have kept these codes').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await row.getByText('10 of 10 recovery codes left').waitFor()
    expectQuiet(complaints)

    await context.clearCookies()
    await page.goto('/signin')
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('This code is wrong or was used already.').waitFor()
    await page.getByLabel('Code').fill(recovery)
    await page.getByRole('button', { name: 'Go on' }).click()
    await at(page).toBe('/dashboard')
  })
})

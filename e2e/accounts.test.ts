import { describe, expect, test } from 'vitest'
import { twoFactorApi } from '../src/features/accounts/twofactor/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { database } from '../src/platform/db/database.ts'
import { newId } from '../src/platform/ids.ts'
import { totpCode } from '../src/platform/totp.ts'
import { mailsTo, tokenIn } from '../src/test/account.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { aNewBusiness, type NewBusiness, password } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })

test('registering opens the account, leads to a plan, and the mailed link confirms the address', async () => {
  const email = `${newId()}@new.swath.test`
  const { page, complaints } = await openPage({ path: '/register' })
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Enter your name').waitFor()
  await page.getByLabel('Your name').fill('Dana Whitfield')
  await page.getByLabel('Business name').fill('Whitfield Lawn Care')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('green grass 7')
  await page.getByLabel('Password again').fill('green grass 8')
  await page.getByLabel('Customers').selectOption('11-25')
  await page.getByLabel('Company size').selectOption('small')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Passwords do not match').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Password again').fill('green grass 7')
  await page.getByRole('button', { name: 'Create account' }).click()
  // the prices are a page of their own: the address is there before it is
  await page.getByRole('heading', { name: /^Priced by your list/ }).waitFor()
  const { businessId } = await database()
    .selectFrom('accountEmails')
    .select('businessId')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()

  await page.goto('/profile')
  await page.getByText('Confirm your email.').waitFor()
  await page.goto(`/login-success?token=${await tokenIn(businessId, email, 'Confirm your e-mail address')}`)
  await page.getByText(`${email} is confirmed. Thank you.`).waitFor()
  await expectAccessible(page)
  await page.goto('/profile?section=security')
  await page.getByRole('heading', { name: 'Sign-in & security' }).waitFor()
  expect(await page.getByText('Confirm your email.').count()).toBe(0)
  await page.getByText('This device').waitFor()
  await expectAccessible(page)
  expectQuiet(complaints)
})

test('a forgotten password is reset by mail, and the sign-in screen knows the rest', async () => {
  const { business, owner } = await aNewBusiness()
  const { page } = await openPage({ path: '/signin', width: 390 })
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Email').fill(owner.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('If this address has an account').waitFor()
  await expectAccessible(page)
  const token = await tokenIn(business.id, owner.email, 'Reset your password')
  await page.goto(`/reset-password?token=${token}`)
  await page.getByLabel('New password', { exact: true }).fill('entirely new 3')
  await page.getByLabel('New password again').fill('entirely new 3')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set new password' }).click()
  await page.getByText('Your password was changed. Sign in with the new one.').waitFor()
  expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(owner.email)
  await page.getByLabel('Password', { exact: true }).fill('entirely new 3')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/dashboard')
  await page.goto(`/reset-password?token=${token}`)
  await page.getByText('Invalid or expired password reset token.').waitFor()
  expect((await mailsTo(business.id, owner.email)).at(-1)?.subject).toBe('Your password was reset')
})

describe('a session that ends', () => {
  const endAll = (business: NewBusiness['business']) =>
    business.db((db) =>
      db.updateTable('sessions').set({ revokedAt: clock.iso() }).where('businessId', '=', business.id).execute(),
    )

  test('in the middle of a form keeps what was typed, and the same form is saved after signing in', async () => {
    const { business, owner } = await aNewBusiness()
    const { page } = await openPage({ as: { ...owner, password }, path: '/customers?tab=create' })
    await page.getByLabel('Name', { exact: true }).fill('Rebecca Odom')
    await endAll(business)
    await page
      .getByRole('button', { name: 'Add Rebecca Odom' })

      .click()
    const dialog = page.getByRole('dialog', { name: 'Sign in to go on' })
    await dialog.getByText('Authentication failed. Please log in again.').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel(`Password of ${owner.email}`).fill(password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Rebecca Odom')
    await page
      .getByRole('button', { name: 'Add Rebecca Odom' })

      .click()
    await expect
      .poll(() =>
        business.db((db) => db.selectFrom('customers').select('name').where('businessId', '=', business.id).execute()),
      )
      .toEqual([{ name: 'Rebecca Odom' }])
  })

  test('asks for the second step too where it is on, and still keeps what was typed', async () => {
    const { business, owner } = await aNewBusiness()
    const { page } = await openPage({ as: { ...owner, password }, path: '/customers?tab=create' })
    await page.getByLabel('Name', { exact: true }).fill('Imani Farrow')
    const { key } = await business.api.ok(twoFactorApi.begin, { body: { password } })
    const switchedOn = clock.nowMs()
    const { recoveryCodes } = await business.api.ok(twoFactorApi.confirm, {
      body: { code: totpCode(key, switchedOn) },
    })
    await endAll(business)
    await page.getByRole('button', { name: 'Add Imani Farrow' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in to go on' })
    await dialog.getByLabel(`Password of ${owner.email}`).fill(password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.getByText('One more step').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Code').fill('zzzzz-zzzzz')
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Code').fill(recoveryCodes[0] ?? '')
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Imani Farrow')
  })

  test('with nothing typed leads to signing in, and back to the same page', async () => {
    const { business, owner } = await aNewBusiness()
    const { page } = await openPage({ as: { ...owner, password }, path: '/customers?tab=manage' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await endAll(business)
    // the page may notice by itself before anybody presses: then there is no link any more
    await page
      .getByRole('link', { name: 'Tools' })
      .click({ timeout: 10_000 })
      .then(
        () => page.goBack(),
        () => undefined,
      )
    await page.waitForURL('**/signin')
    await page.getByLabel('Email', { exact: true }).fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/customers?tab=manage')
  })
})

import { createECDH, randomBytes } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { password } from './fixtures.ts'
import { aCrewDay } from './fixtures-day.ts'

const { openPage } = withBrowser({ afresh: 'file' })

/** A browser's own push service is far away from here: only what it would answer is played. */
const playService = async (context: BrowserContext): Promise<void> => {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const keys = { p256dh: curve.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  const endpoint = `https://fcm.googleapis.com/fcm/send/${randomBytes(9).toString('base64url')}`
  await context.addInitScript(
    ([url, pair]) => {
      let key: ArrayBuffer | null = null
      const made = () => ({
        endpoint: url,
        options: { applicationServerKey: key },
        toJSON: () => ({ endpoint: url, keys: pair }),
        unsubscribe: async () => {
          localStorage.removeItem('played-push')
          return true
        },
      })
      Object.assign(PushManager.prototype, {
        subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
          key = applicationServerKey.slice().buffer
          localStorage.setItem('played-push', '1')
          return made()
        },
        getSubscription: async () => (localStorage.getItem('played-push') ? made() : null),
      })
      Object.assign(Notification, { requestPermission: async () => 'granted' })
    },
    [endpoint, keys] as const,
  )
}

test('a crew member lets this phone ring, in both languages, and switches it off', async () => {
  const { business, luis } = await aCrewDay({ streets: ['132 Laurel Green Ct'] })
  const { page, context, complaints } = await openPage({ width: 390, as: { email: luis.email, password } })
  await playService(context)
  await context.grantPermissions(['notifications'])
  const devices = () =>
    business.db((db) =>
      db.selectFrom('pushDevices').select(['kind', 'language']).where('businessId', '=', business.id).execute(),
    )
  await page.goto('/employee-profile')
  await page.getByText('This device does not ring.').waitFor()
  expect(await devices()).toEqual([])
  await page.getByRole('button', { name: 'Turn on alerts' }).click()
  await page.getByText('This device rings.').waitFor()
  expect(await devices()).toEqual([{ kind: 'web', language: 'en' }])
  await page.getByText('Español').click()
  await page.getByText('Este aparato suena.').waitFor()
  await expect.poll(devices).toEqual([{ kind: 'web', language: 'es' }])
  await page.getByRole('checkbox', { name: /^Chat/ }).click()
  const muted = () =>
    business.db((db) =>
      db.selectFrom('pushMutes').select(['userId', 'topic']).where('businessId', '=', business.id).execute(),
    )
  await expect.poll(muted).toEqual([{ userId: luis.userId, topic: 'chat' }])
  await page.reload()
  await expect.poll(() => page.getByRole('checkbox', { name: /^Chat/ }).isChecked()).toBe(false)
  expect(await page.getByRole('checkbox', { name: /^Mi día/ }).isChecked()).toBe(true)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Desactivar avisos' }).click()
  await page.getByText('Este aparato no suena.').waitFor()
  expect(await devices()).toEqual([])
  expectQuiet(complaints)
})

test('the office switches it on for this device', async () => {
  const { business } = await aCrewDay({ streets: ['132 Laurel Green Ct'] })
  const { page, context, complaints } = await openPage({ as: { email: business.owner.email, password } })
  await playService(context)
  await page.goto('/profile')
  const alerts = page.getByRole('switch', { name: /Alerts on this device/ })
  await alerts.waitFor()
  expect(await alerts.isChecked()).toBe(false)
  await alerts.click()
  const kinds = () =>
    business.db((db) => db.selectFrom('pushDevices').select('kind').where('businessId', '=', business.id).execute())
  await expect.poll(kinds).toEqual([{ kind: 'web' }])
  await page.getByRole('switch', { name: /^Invoices and payments/ }).click()
  const muted = () =>
    business.db((db) => db.selectFrom('pushMutes').select('topic').where('businessId', '=', business.id).execute())
  await expect.poll(muted).toEqual([{ topic: 'money' }])
  await page.getByRole('switch', { name: /^Invoices and payments/ }).click()
  await expect.poll(muted).toEqual([])
  await page.reload()
  await alerts.waitFor()
  await expect.poll(() => alerts.isChecked()).toBe(true)
  await expectAccessible(page)
  expectQuiet(complaints)
})

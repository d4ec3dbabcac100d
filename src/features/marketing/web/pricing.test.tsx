import { waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { bindPlans } from './pricing.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  // biome-ignore lint/suspicious/noDocumentCookie: the page reads it as the server wrote it
  document.cookie = 'swath_nav=; max-age=0'
})

/** The owner of a business without a plan opens the prices. */
const opened = (trialAvailable: boolean) => {
  document.body.innerHTML =
    '<p data-trial="14">14-day free trial</p><a data-price="price_1" data-plan="basic" data-period="month" href="/register">Start free trial</a>'
  // biome-ignore lint/suspicious/noDocumentCookie: the page reads it as the server wrote it
  document.cookie = 'swath_nav=notier'
  vi.stubGlobal('navigator', { locks: { request: (_: string, work: () => unknown) => work() } })
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json(
      path.endsWith('refresh-token')
        ? { token: 'x', user: { _id: '1', role: 'Owner' } }
        : { plan: null, period: null, priceCents: null, trialAvailable },
    ),
  )
  bindPlans()
}
const words = () => [...document.querySelectorAll('[data-trial], a')].map((one) => one.textContent)

it('a used trial is offered no more', async () => {
  opened(false)
  await waitFor(() =>
    expect(words()).toEqual(['Your free trial was used; billed each month, cancel any month', 'Choose Basic']),
  )
})

it('one that is still there is', async () => {
  opened(true)
  const button = document.querySelector('a') as HTMLAnchorElement
  const listened = vi.spyOn(button, 'addEventListener')
  await waitFor(() => expect(listened).toHaveBeenCalled())
  expect(words()).toEqual(['14-day free trial', 'Start free trial'])
})

import { readLeadState } from '../../../shared/leadState.ts'
import { paths } from '../../../shared/paths.ts'
import { navSessionOf, sessionKindHint } from '../rules.ts'

/** The pricing page for whoever is signed in, or comes with a name from the lead form. Without this script its links lead to /register. */

type Carried = { name?: unknown; email?: unknown; phone?: unknown }
type Standing = {
  priceCents: number | null
  plan: string | null
  period: string | null
  trialAvailable: boolean
}
type Signed = { token: string; user: { _id: string; role: string } }

const rank = ['basic', 'pro', 'enterprise']

const say = (message: string, link?: { label: string; href: string }): void => {
  const place = document.querySelector<HTMLElement>('[data-notice]')
  if (!place) return
  place.textContent = message
  if (link) {
    const a = document.createElement('a')
    a.href = link.href
    a.textContent = link.label
    place.append(' ', a)
  }
  place.removeAttribute('hidden')
  place.scrollIntoView({ block: 'center' })
}

const nameOf = (link: HTMLElement): string => {
  const plan = link.dataset.plan ?? ''
  return plan.charAt(0).toUpperCase() + plan.slice(1)
}

/** What the lead form passed on goes on to the registration: a page load keeps the history's state. */
const carry = (links: readonly HTMLAnchorElement[], state: Carried): void => {
  for (const link of links)
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      history.pushState({ usr: state }, '', link.href)
      location.reload()
    })
}

const ask = async <T>(
  path: string,
  token: string | null,
  body?: unknown,
): Promise<{ status: number; body: T & { message?: string; errors?: { path: string; message: string }[] } }> => {
  const response = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    credentials: 'same-origin',
    headers: {
      'x-client-app': 'admin',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json().catch(() => ({})) }
}

/** One refresh over all tabs at a time, as the session layer does it. */
const signIn = (): Promise<Signed | null> =>
  navigator.locks.request('swath-session-admin', async () => {
    const { status, body } = await ask<Signed>('/api/auth/refresh-token', null, {})
    return status === 200 && body.token ? body : null
  })

const codeField = () => document.querySelector<HTMLInputElement>('[data-code] input')

const buy = async (link: HTMLAnchorElement, userId: string): Promise<void> => {
  const before = link.textContent
  const stop = (message: string) => {
    link.textContent = before
    link.removeAttribute('aria-busy')
    say(message)
  }
  if (link.getAttribute('aria-busy') === 'true') return
  link.setAttribute('aria-busy', 'true')
  link.textContent = 'Opening the payment page…'
  try {
    // The token may be old by the time of the click.
    const signed = await signIn()
    if (!signed) {
      stop('')
      return say('Please sign in to continue', { label: 'Sign in', href: paths.signin })
    }
    const coupon = codeField()?.value.trim()
    const { status, body } = await ask<{ url?: string }>(
      '/api/payment/create-checkout-session-for-user',
      signed.token,
      { priceId: link.dataset.price, userId, ...(coupon ? { coupon } : {}) },
    )
    if (status !== 200 || !body.url) {
      const field = body.errors?.find((one) => one.path === 'coupon')
      return stop(field?.message ?? body.message ?? 'Failed to create checkout session')
    }
    try {
      location.assign(body.url)
    } catch {
      stop('The payment page could not be opened. Nothing was charged; please try again.')
    }
  } catch {
    stop('Failed to process plan selection')
  }
}

const showStanding = (links: readonly HTMLAnchorElement[], standing: Standing): void => {
  for (const link of links) {
    const { plan = '', period = 'month' } = link.dataset
    const isMine = plan === standing.plan && period === standing.period
    const higher = rank.indexOf(plan) > rank.indexOf(standing.plan ?? '')
    link.href = isMine ? `${paths.profile}#plan` : `${paths.profile}?plan=${plan}&period=${period}#plan`
    link.textContent = isMine
      ? 'Manage your plan'
      : plan === standing.plan
        ? `Change to ${period === 'year' ? 'annual' : 'monthly'}`
        : `${higher ? 'Upgrade' : 'Change'} to ${nameOf(link)}`
    if (plan === standing.plan) link.closest('.plan')?.setAttribute('data-mine', '')
  }
}

const forSignedIn = async (links: readonly HTMLAnchorElement[]): Promise<void> => {
  const signed = await signIn().catch(() => null)
  if (!signed) return
  const { status, body } = await ask<Standing>('/api/payment/subscription', signed.token)
  if (signed.user.role !== 'Owner' || status === 403) {
    for (const link of links) link.replaceWith('The owner of your business chooses the plan.')
    return
  }
  if (status === 200 && body.plan && body.priceCents !== null) return showStanding(links, body)
  const code = document.querySelector<HTMLElement>('[data-code]')
  const given = new URLSearchParams(location.search).get('coupon')
  code?.removeAttribute('hidden')
  const field = codeField()
  if (field && given) field.value = given
  if (status === 200 && !body.trialAvailable)
    for (const words of document.querySelectorAll('[data-trial]'))
      words.textContent = 'Your free trial was used; billed each month, cancel any month'
  for (const link of links) {
    if (status !== 200 || !body.trialAvailable || link.dataset.plan !== 'basic')
      link.textContent = `Choose ${nameOf(link)}`
    link.addEventListener('click', (event) => {
      event.preventDefault()
      void buy(link, signed.user._id)
    })
  }
}

/** Brings the plans' buttons to life. */
export const bindPlans = (): void => {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[data-price]')]
  if (links.length === 0) return
  if (navSessionOf(document.cookie) === 'out') {
    const state = { ...readLeadState(), ...(history.state as { usr?: Carried } | null)?.usr }
    if (state.email || state.name || state.phone) carry(links, state)
    return
  }
  if (sessionKindHint(document.cookie) === 'admin') void forSignedIn(links)
}

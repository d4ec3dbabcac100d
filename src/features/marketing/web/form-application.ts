import type { Application } from '../../prospects/application/contract.ts'
import { type Answers, missingAnswers, questions } from '../../prospects/application/rules.ts'
import { ask, Refusal, refusalOf } from './form-ask.ts'
import { checkedContact, dropToken, fillContact, readToken, saveToken, sendLead, takeFragment } from './form-lead.ts'
import { busyWhile, explain, one, say, show, showErrors } from './form-parts.ts'
import { showStatus } from './form-status.ts'

const draftKey = 'swath.answers'

const readDraft = (): Answers => {
  try {
    return JSON.parse(localStorage.getItem(draftKey) ?? '{}') as Answers
  } catch {
    return {}
  }
}
const saveDraft = (answers: Answers): void => {
  try {
    if (Object.keys(answers).length > 0) localStorage.setItem(draftKey, JSON.stringify(answers))
    else localStorage.removeItem(draftKey)
  } catch {
    // then only the server keeps them
  }
}
const without = (answers: Answers, sent: Answers): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([name, value]) => sent[name] !== value))

/** Which question an entry of the browser's history shows, and how many entries of this page lie behind it. */
type Entry = { step: number; depth: number }

/** Six questions, one a screen: kept on this device with every key, and with the lead at every step. */
export const bindApplication = async (): Promise<void> => {
  const found = one<HTMLFormElement>('form[data-application]')
  if (!found) return
  const form = found
  form.noValidate = true
  const steps = [...form.querySelectorAll<HTMLElement>('[data-step]')]
  const back = one<HTMLButtonElement>('[data-back]', form)
  const next = one<HTMLButtonElement>('button[type=submit]', form)
  const progress = one<HTMLProgressElement>('progress', form)
  const count = one('[data-count]', form)
  let token = takeFragment('status') ?? readToken()
  let step = 0
  let depth = (history.state as Partial<Entry> | null)?.depth ?? 0
  /** What was answered here and has not reached the server. Only this is sent: another tab may have answered the rest. */
  let unsent = readDraft()

  const given = (): Answers => {
    const data = new FormData(form)
    const names = questions.flatMap((question) => question.fields.map(({ name }) => name))
    return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')]))
  }

  const fill = (answers: Answers): void => {
    for (const [name, value] of Object.entries(answers))
      for (const input of form.querySelectorAll<HTMLInputElement>(`[name="${CSS.escape(name)}"]`))
        if (input.type === 'radio') input.checked = input.value === value
        else if (value !== '') input.value = value
  }

  const go = (to: number, focus = true): void => {
    step = Math.max(token ? 1 : 0, Math.min(to, steps.length - 1))
    steps.forEach((each, index) => {
      show(each, index === step)
    })
    show(back, step > (token ? 1 : 0))
    if (next) next.textContent = step === steps.length - 1 ? 'Send application' : 'Continue'
    if (progress) progress.value = step
    if (count) count.textContent = step === 0 ? 'Before the first question' : `Question ${step} of ${questions.length}`
    say(form, '')
    if (focus) one('[data-focus]', steps[step])?.focus()
  }

  /** Goes on as a page of its own: the browser's back button leads to the question before. */
  const goOn = (): void => {
    history.replaceState({ step, depth } satisfies Entry, '')
    go(step + 1)
    depth += 1
    history.pushState({ step, depth } satisfies Entry, '')
  }

  const finish = (application: Application): void => {
    saveDraft({})
    if (depth > 0) history.go(-depth)
    show(form, false)
    showStatus(application, token)
  }

  const isUnsent = (): boolean => Object.keys(unsent).length > 0

  const save = async (): Promise<void> => {
    if (!isUnsent()) return
    const sent = unsent
    await ask<Application>('PUT', `/api/leads/application/${token}`, { answers: sent })
    unsent = without(unsent, sent)
    saveDraft(without(readDraft(), sent))
  }

  /** A lost connection does not stop anybody: what was typed stays here and goes along later. */
  const saveOrKeep = async (): Promise<boolean> => {
    try {
      await save()
      return true
    } catch (error) {
      if (error instanceof Refusal && error.status === 409) {
        await load()
        return false
      }
      if (error instanceof Refusal && error.status !== 0 && error.status < 500 && error.status !== 429) throw error
      say(form, 'No connection at the moment. Your answers are kept on this device and are sent along later.', 'plain')
      return true
    }
  }

  const forward = async (): Promise<void> => {
    if (step === 0) {
      const contact = checkedContact(form)
      if (!contact) return
      token = await sendLead(form, contact, 'quote_builder_direct')
      return goOn()
    }
    const names = questions[step - 1]?.fields.map(({ name }) => name) ?? []
    const missing = missingAnswers(given()).filter(({ path }) => names.includes(path))
    showErrors(form, missing)
    say(form, missing[0]?.message ?? '')
    if (missing.length > 0) return
    if (step < steps.length - 1) {
      if (await saveOrKeep()) {
        const message = one('[data-say]', form)?.textContent ?? ''
        goOn()
        if (isUnsent()) say(form, message, 'plain')
      }
      return
    }
    await save()
    finish(await ask<Application>('POST', `/api/leads/application/${token}/submit`))
  }

  const showRefusal = (error: unknown): void => {
    const refusal = refusalOf(error)
    const at = questions.findIndex((q) => q.fields.some(({ name }) => name === refusal.errors[0]?.path))
    if (at >= 0) go(at + 1, false)
    explain(form, refusal)
  }

  const load = async (): Promise<void> => {
    fill(readDraft())
    fillContact(form)
    if (!token) return go(0, false)
    try {
      // Back from the checkout: the provider is asked at once whether the fee is paid.
      const isBack = new URLSearchParams(location.search).get('fee') === 'back'
      const application = isBack
        ? await ask<Application>('POST', `/api/leads/application/${token}/fee/sync`)
        : await ask<Application>('GET', `/api/leads/application/${token}`)
      saveToken(token)
      if (application.submittedAt || application.sprint?.admittedMonth) return finish(application)
      fill({ ...application.answers, ...readDraft() })
      go(Math.min(application.nextQuestion, questions.length - 1) + 1, false)
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) {
        token = null
        dropToken()
        return go(0, false)
      }
      go(1, false)
      say(
        form,
        'We could not load what you wrote before. What is on this device is here; it is sent along as soon as there is a connection.',
        'plain',
      )
    }
  }

  form.addEventListener('input', ({ target }) => {
    const { name, value } = target as HTMLInputElement
    if (!(name in given())) return
    unsent = { ...unsent, [name]: value }
    saveDraft({ ...readDraft(), ...unsent })
  })
  back?.addEventListener('click', () => (depth > 0 ? history.back() : go(step - 1)))
  window.addEventListener('popstate', ({ state }) => {
    const entry = state as Partial<Entry> | null
    depth = entry?.depth ?? 0
    if (entry?.step !== undefined && !form.hidden) go(entry.step)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void busyWhile(next, () => forward().catch(showRefusal))
  })
  addEventListener('online', () => {
    if (isUnsent() && token) void saveOrKeep().then(() => isUnsent() || say(form, 'Saved.', 'plain'))
  })
  await load()
  show(one('[data-application-wait]'), false)
  show(form, one('[data-status]')?.hidden === true)
}

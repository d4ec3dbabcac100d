import fc from 'fast-check'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { stranger } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { accountsApi } from '../contract.ts'
import { refreshSeconds } from '../rules.ts'
import { openSession } from './commands.ts'

/**
 * Two tabs of one browser and a thief who copied its cookie, over the refresh call as HTTP has it: requests in any order, answers late or
 * lost, time in between. The browser keeps one cookie for both tabs and takes what the last answer set; a tab whose answer was lost asks
 * again at once. Nobody but the clock and the cookie decides who is who.
 */

const LONG = process.env.SWATH_TEST_LONG === '1'
const runs = LONG ? 1_000 : 30
/** Longer than a busy machine needs: a test that is given up goes on with the clock of the others. */
const patience = LONG ? 1_500_000 : 240_000
const headers = { origin: 'http://localhost:3000', 'x-client-app': 'admin' }

type Step =
  /** One tab's access token ran out; its answer may get lost, then it asks again within the grace. */
  | { kind: 'tab'; lost: boolean }
  /** Both tabs ask with the same cookie; `late` says after how many seconds the second request arrives. */
  | { kind: 'race'; late: number; firstLost: boolean }
  /** Both requests are on the server at the same moment. */
  | { kind: 'together' }
  /** The thief copies the cookie as it is now. */
  | { kind: 'steal' }
  /** The thief asks with the newest token they have. */
  | { kind: 'thief' }
  /** Thief and tab are on the server at the same moment. */
  | { kind: 'clash' }
  | { kind: 'wait'; seconds: number }

const honestSteps: fc.Arbitrary<Step>[] = [
  fc.record({ kind: fc.constant('tab' as const), lost: fc.boolean() }),
  fc.record({
    kind: fc.constant('race' as const),
    late: fc.integer({ min: 0, max: 9 }),
    firstLost: fc.boolean(),
  }),
  fc.constant({ kind: 'together' as const }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 9, 11, 61, 900, 86_400) }),
]
const thiefSteps: fc.Arbitrary<Step>[] = [
  fc.constant({ kind: 'steal' as const }),
  fc.constant({ kind: 'thief' as const }),
  fc.constant({ kind: 'clash' as const }),
]

let business: TestBusiness
let now = Date.parse('2026-06-12T12:00:00Z')
beforeAll(async () => {
  business = await aBusiness()
})
afterEach(resetClock)

const pass = (seconds: number): void => {
  now += seconds * 1000
}

type Answer = { status: number; cookie: string | null; token: string | null }

const refresh = async (cookie: string): Promise<Answer> => {
  const answer = await stranger.call(accountsApi.refresh, {}, { ...headers, cookie: `swath_admin=${cookie}` })
  const set = [answer.headers['set-cookie']].flat().map(String)
  return {
    status: answer.status,
    cookie:
      set
        .find((c) => c.startsWith('swath_admin='))
        ?.split(';')[0]
        ?.slice('swath_admin='.length) ?? null,
    token: answer.status === 200 ? answer.body.token : null,
  }
}
const isIn = async (token: string): Promise<boolean> =>
  (await stranger.call(accountsApi.verify, {}, { authorization: `Bearer ${token}` })).status === 200

const world = async () => {
  const opened = await openSession(business.id, business.owner.userId, { userAgent: 'test', ip: '' })
  const state = {
    jar: opened.refreshToken,
    /** A tab was refused. */
    out: false,
    thiefActed: false,
    thief: null as string | null,
    thiefTokens: [] as string[],
    thiefAccess: [] as string[],
  }
  const receive = (answer: Answer): void => {
    if (answer.status !== 200) state.out = true
    else if (answer.cookie) state.jar = answer.cookie
  }
  const steal = (answer: Answer): void => {
    if (!answer.cookie || !answer.token) return
    state.thief = answer.cookie
    state.thiefTokens.push(answer.cookie)
    state.thiefAccess.push(answer.token)
  }
  const act = async (step: Step): Promise<void> => {
    if (step.kind === 'wait') return pass(step.seconds)
    if (step.kind === 'steal') {
      state.thief = state.jar
      state.thiefTokens.push(state.jar)
      return
    }
    if (step.kind === 'thief') {
      if (!state.thief) return
      state.thiefActed = true
      return steal(await refresh(state.thief))
    }
    if (state.out) return
    // A tab asks when its token ran out, not sooner: between two rounds of the browser lies a quarter of an hour.
    pass(901)
    if (step.kind === 'clash') {
      if (!state.thief) return
      state.thiefActed = true
      const [honest, stolen] = await Promise.all([refresh(state.jar), refresh(state.thief)])
      receive(honest)
      return steal(stolen)
    }
    if (step.kind === 'tab') {
      const first = await refresh(state.jar)
      if (!step.lost) return receive(first)
      pass(2)
      return receive(await refresh(state.jar))
    }
    const cookie = state.jar
    if (step.kind === 'together') {
      for (const answer of await Promise.all([refresh(cookie), refresh(cookie)])) receive(answer)
      return
    }
    const first = await refresh(cookie)
    if (!step.firstLost) receive(first)
    pass(step.late)
    receive(await refresh(cookie))
  }
  return { state, act }
}

const play = async (steps: readonly Step[]) => {
  setClock(() => new Date(now))
  const { state, act } = await world()
  for (const step of steps) await act(step)
  return { state, act }
}

it(`two tabs never sign their person out (${runs} interleavings)`, { timeout: patience }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(...honestSteps), { minLength: 2, maxLength: 10 }), async (steps) => {
      const { state } = await play(steps)
      expect(state.out).toBe(false)
      expect((await refresh(state.jar)).status).toBe(200)
    }),
    { numRuns: runs },
  )
})

it(`a thief never keeps a session (${runs} interleavings)`, { timeout: patience }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(...honestSteps, ...thiefSteps, ...thiefSteps), { minLength: 3, maxLength: 14 }),
      async (steps) => {
        const { state, act } = await play([{ kind: 'tab', lost: false }, ...steps])
        // While the thief did nothing, nothing happened to the person.
        if (!state.thiefActed) expect(state.out).toBe(false)
        // The person works on and the thief tries on, each in their own time. It ends with the thief outside.
        for (let round = 0; round < 2; round++) {
          pass(61)
          await act({ kind: 'tab', lost: false })
          pass(61)
          await act({ kind: 'thief' })
        }
        pass(61)
        for (const cookie of new Set(state.thiefTokens)) {
          if (cookie === state.jar && !state.thiefActed) continue
          expect((await refresh(cookie)).status).toBe(401)
        }
        for (const token of state.thiefAccess) expect(await isIn(token)).toBe(false)
        // What the thief did ended the person's session too: better both out than two in.
        if (state.thiefTokens.length > 0 && state.thiefActed) expect((await refresh(state.jar)).status).toBe(401)
      },
    ),
    { numRuns: runs },
  )
})

it('nothing of it outlives the 30 days of a refresh token', async () => {
  const { state } = await play([{ kind: 'tab', lost: false }])
  pass(refreshSeconds + 1)
  expect((await refresh(state.jar)).status).toBe(401)
})

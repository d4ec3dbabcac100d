import { describe, expect, it } from 'vitest'
import { createTracker, isNews, type Seen, type Tracking, type Waiting } from './tracker.ts'

const start = Date.parse('2026-06-12T12:00:00Z')
const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString()
/** A thousandth of a degree of latitude is 111 m. */
const seen = (minutes: number, north = 0, accuracyMeters = 10): Seen => ({
  at: at(minutes),
  latitude: 32 + north / 1000,
  longitude: -81,
  accuracyMeters,
})

describe('what is news', () => {
  it.each([
    [seen(0), null, true, 'the first place'],
    [seen(1, 1), seen(0), true, '111 m further'],
    [seen(1, 0.3), seen(0), false, '33 m further'],
    [seen(5), seen(0), true, 'five quiet minutes'],
    [seen(1, 1, 150), seen(0), false, '111 m further, as far as a vague place can tell'],
    [seen(10, 5, 500), seen(0), false, 'a place somewhere in town'],
  ])('%#: %s', (now, before, news) => expect(isNews(now, before)).toBe(news))
})

/** A phone whose network and clock are in the test's hands. */
const aPhone = () => {
  const world = {
    now: start,
    kept: [] as Waiting[],
    sent: [] as number[],
    away: false,
    shares: true,
    maySend: true,
    ended: 0,
    watching: 0,
    states: [] as Tracking[],
    see: (_: Seen) => undefined as unknown,
    trouble: (_: 'denied' | 'silent') => undefined as unknown,
  }
  let id = 0
  const tracker = createTracker({
    watch: (onPlace, onTrouble) => {
      world.watching += 1
      world.see = onPlace
      world.trouble = onTrouble
      return () => {
        world.watching -= 1
      }
    },
    send: async (positions) => {
      if (world.away) throw new Error('no signal')
      world.sent.push(positions.length)
      return world.shares
    },
    maySend: () => world.maySend,
    load: () => world.kept,
    keep: (waiting) => {
      world.kept = [...waiting]
    },
    now: () => world.now,
    newId: () => `id-${++id}`,
    onEnd: () => {
      world.ended += 1
    },
    onState: (state) => world.states.push(state),
  })
  return { world, tracker }
}
const settle = () => new Promise<void>((done) => setImmediate(done))

describe('a phone that shares', () => {
  it('watches only between start and stop, once', () => {
    const { world, tracker } = aPhone()
    expect(world.watching).toBe(0)
    tracker.start()
    tracker.start()
    expect(world.watching).toBe(1)
    tracker.stop()
    tracker.stop()
    expect([world.watching, world.states.at(-1)]).toEqual([0, 'off'])
  })

  it('writes down what is news, and sends at most once a minute', async () => {
    const { world, tracker } = aPhone()
    tracker.start()
    world.see(seen(0))
    await settle()
    world.see(seen(0.2, 1))
    world.see(seen(0.3, 1.1))
    await settle()
    expect([world.sent, world.kept.length]).toEqual([[1], 1])
    world.now += 61_000
    world.see(seen(1, 3))
    await settle()
    expect([world.sent, world.kept]).toEqual([[1, 2], []])
  })

  it('a place that the phone knew a moment before the clock began is where it is now', async () => {
    const { world, tracker } = aPhone()
    world.away = true
    world.now = start + 60_000
    tracker.start()
    world.now += 2_000
    world.see(seen(0.9))
    await settle()
    expect(world.kept.map((one) => one.at)).toEqual(['2026-06-12T12:01:02.000Z'])
  })

  it('without a signal keeps what it saw, the newest five hundred, and sends it in hundreds', async () => {
    const { world, tracker } = aPhone()
    world.away = true
    tracker.start()
    for (let n = 0; n < 620; n += 1) world.see(seen(n, n))
    await settle()
    expect([world.kept.length, world.kept[0]?.at]).toEqual([500, at(120)])
    world.away = false
    await tracker.flush({ atOnce: true })
    expect([world.sent, world.kept]).toEqual([[100, 100, 100, 100, 100], []])
  })

  it('sends nothing before the clock has arrived: off the clock it would be dropped', async () => {
    const { world, tracker } = aPhone()
    world.maySend = false
    tracker.start()
    world.see(seen(0))
    await settle()
    expect(world.sent).toEqual([])
    world.maySend = true
    await tracker.flush()
    expect([world.sent, world.kept]).toEqual([[1], []])
  })

  it('stops and forgets when the server says that this person does not share any more', async () => {
    const { world, tracker } = aPhone()
    world.shares = false
    tracker.start()
    world.see(seen(0))
    await settle()
    expect(world).toMatchObject({ watching: 0, kept: [], ended: 1 })
  })

  it('says what is wrong, and that it is right again', () => {
    const { world, tracker } = aPhone()
    tracker.start()
    world.trouble('silent')
    world.see(seen(0))
    world.trouble('denied')
    expect(world.states).toEqual(['watching', 'silent', 'watching', 'denied'])
  })
})

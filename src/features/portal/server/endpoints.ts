import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { sendPdf } from '../../../platform/http/pdf.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { newId } from '../../../platform/ids.ts'
import { findLink, linkHash } from '../../../platform/links.ts'
import { formWasTooLarge } from '../../../shared/endpoint.ts'
import { AppError } from '../../../shared/errors.ts'
import { drawCustomerRecords } from '../../chemicals/records/server/queries.ts'
import { askForAddress, saveAccount } from '../account/server/commands.ts'
import { accountProblems, readAccountForm } from '../account/server/form.ts'
import { getAccount } from '../account/server/queries.ts'
import {
  cardPathOf,
  removeCardByCustomer,
  startAutopayByCustomer,
  statementPathOf,
  stopAutopayByCustomer,
} from '../bills/server/commands.ts'
import { getBills, isWaiting, listIssued, listSentQuotes } from '../bills/server/queries.ts'
import { portalPageApi } from '../contract.ts'
import { billsHtml, papersHtml } from '../pages/server/bills.ts'
import { enterHtml, goneHtml, linkSentHtml, signInHtml, stoppedHtml } from '../pages/server/door.ts'
import { at, textsOf, type View } from '../pages/server/frame.ts'
import { accountHtml, messagesHtml, serviceHtml } from '../pages/server/more.ts'
import { homeHtml, noVisitHtml, visitHtml, visitsHtml } from '../pages/server/visits.ts'
import { listApplied, listTreatments } from '../papers/server/queries.ts'
import { readAddress, sessionDays } from '../rules.ts'
import { askForService, pauseByCustomer, resumeByCustomer } from '../services/server/commands.ts'
import { listJobs, listOffered, listOwnRequests } from '../services/server/queries.ts'
import { photosProblem, writeByCustomer } from '../thread/server/commands.ts'
import { listThread } from '../thread/server/queries.ts'
import { skipByCustomer, unskipByCustomer } from '../visits/server/commands.ts'
import { findLivePath, findVisit, listAhead, listPast } from '../visits/server/queries.ts'
import { askForLink, choosePerson, enter, setSessionLanguage, signOut } from './commands.ts'
import {
  type Again,
  type Asked,
  cookieAt,
  cookieName,
  cookieOf,
  deed,
  fromElsewhere,
  type Inside,
  inside,
  isUuid,
  outside,
  send,
} from './gate.ts'
import { type Door, findDoor, findSignIn, getDoor, listPeople, todayAt } from './queries.ts'

const withProblem = (view: View, problem: string | undefined): View =>
  problem === undefined ? view : { ...view, said: undefined, problem }

const drawHome: Again = async ({ door, person, view }, problem) => {
  const today = todayAt(door)
  const { customerId, rights } = person
  const facts = await withTenant(door, async (db) => {
    const ahead = await listAhead(db, { customerId, today, language: view.language })
    const first = ahead.find(({ status }) => status !== 'skipped')
    const next = first ? await findVisit(db, door, { customerId, visitId: first.id, now: clock.iso() }) : null
    return {
      today,
      ahead,
      next,
      livePath:
        next && next.shown.day === today && next.row.status !== 'scheduled'
          ? await findLivePath(db, next.row.id)
          : null,
      last: (await listPast(db, door, { customerId, today, language: view.language, limit: 1 })).items[0] ?? null,
      bills: rights.money ? await getBills(db, customerId, view.language) : null,
      quotes: rights.quotes ? (await listSentQuotes(db, customerId)).filter(isWaiting) : [],
    }
  })
  return homeHtml(withProblem(view, problem), facts)
}

const drawVisit =
  (visitId: string): Again =>
  async ({ door, person, view }, problem) => {
    const visit = isUuid(visitId)
      ? await withTenant(door, (db) =>
          findVisit(db, door, { customerId: person.customerId, visitId, now: clock.iso() }),
        )
      : null
    return visit ? visitHtml(withProblem(view, problem), visit, todayAt(door)) : noVisitHtml(view)
  }

const drawBills: Again = async ({ door, person, view }, problem) => {
  const { customerId, rights } = person
  const facts = await withTenant(door, async (db) => ({
    bills: rights.money ? await getBills(db, customerId, view.language) : null,
    quotes: rights.quotes ? await listSentQuotes(db, customerId) : [],
  }))
  return billsHtml(withProblem(view, problem), facts)
}

const drawService: Again = async ({ door, person, view }, problem) => {
  const facts = await withTenant(door, async (db) => ({
    jobs: await listJobs(db, door, person.customerId),
    offered: await listOffered(db, door, person.customerId),
    requests: await listOwnRequests(db, person.customerId, ['service']),
  }))
  return serviceHtml(withProblem(view, problem), { today: todayAt(door), ...facts, once: newId })
}

const drawMessages =
  (
    more: {
      cursor?: string | undefined
      typed?: string
      wrong?: string | undefined
      wrongPhotos?: string | undefined
      once?: string
    } = {},
  ): Again =>
  async ({ door, person, view }, problem) => {
    const thread = await withTenant(door, (db) => listThread(db, person, { cursor: more.cursor }))
    return messagesHtml(withProblem(view, problem), {
      thread,
      isFirst: more.cursor === undefined,
      once: more.once ?? newId(),
      typed: more.typed ?? '',
      wrong: more.wrong,
      wrongPhotos: more.wrongPhotos,
    })
  }

const drawAccount =
  (more: Pick<Parameters<typeof accountHtml>[1], 'typed' | 'problems'> = {}): Again =>
  async ({ door, session, person, view }, problem) => {
    const facts = await withTenant(door, async (db) => ({
      account: await getAccount(db, person),
      requests: await listOwnRequests(db, person.customerId, ['address']),
      others: (await listPeople(db, session)).length,
    }))
    return accountHtml(withProblem(view, problem), { ...facts, ...more, once: newId })
  }

const draw = (call: Asked, again: Again) =>
  inside(call, async (who) => send(call.reply, await again(who, undefined as never)))

/** A link that was sent, by its token; null where it is none. */
const signInAt = async (name: string) => {
  const link = name.length >= 40 ? await findLink('portal', name) : null
  if (!link) return null
  const { door, signIn } = await withTenant(link, async (db) => ({
    door: await getDoor(db),
    signIn: await findSignIn(db, link.entityId),
  }))
  return signIn && { door, signIn, link }
}

/** Most tries of one address, of one number or e-mail, and of a business. */
const countAsk = async (door: Door, ip: string, typed: string): Promise<void> => {
  const address = readAddress(typed)?.address ?? typed
  await countUse(`portal-ask:${door.businessId}:${ip}`, 10, 900)
  await countUse(`portal-ask:${door.businessId}:${linkHash(address).slice(0, 32)}`, 4, 3600)
  await countUse(`portal-ask:${door.businessId}`, 300, 3600)
}

const onceOf = (fields: { once?: string | undefined }): string =>
  isUuid(fields.once ?? '') ? (fields.once ?? '') : newId()

const withOwnId = (id: string, draw: Again, work: (who: Inside) => Promise<unknown>) => ({
  draw,
  work: (who: Inside) => {
    if (!isUuid(id)) throw new AppError('not_found', '')
    return work(who)
  },
})

export const portalPageEndpoints = serve(
  'customer-portal-pages',
  portalPageApi,
)({
  home: async (call) => {
    const { params, reply } = call
    const found = await signInAt(params.name)
    if (!found) return draw(call, drawHome)
    const { door, signIn } = found
    const view = outside(door, call)
    if (door.closed) return send(reply.code(410), stoppedHtml(view, 'closed'))
    if (!door.rules.enabled) return send(reply.code(403), stoppedHtml(view, 'off'))
    return signIn.state === 'open'
      ? send(reply, enterHtml(view, params.name, signIn.address))
      : send(reply.code(410), stoppedHtml(view, signIn.state))
  },
  ask: async (call) => {
    const { params, body, request, reply } = call
    const door = await findDoor(params.name)
    if (!door) return send(reply.code(404), goneHtml())
    const view = outside(door, { ...call, query: { lang: body.language } })
    if (door.closed) return send(reply.code(410), stoppedHtml(view, 'closed'))
    if (!door.rules.enabled) return send(reply.code(403), stoppedHtml(view, 'off'))
    const typed = (body.address ?? '').trim().slice(0, 254)
    try {
      await countAsk(door, request.ip, typed)
      const isAddress = await askForLink(door.businessId, typed, view.language)
      return isAddress
        ? send(reply, linkSentHtml(view, readAddress(typed)?.address ?? typed))
        : send(reply.code(422), signInHtml(view, { typed, wrong: true }))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return send(reply.code(error.status), signInHtml({ ...view, problem: error.message }, { typed }))
    }
  },
  enter: async (call) => {
    const { params, request, reply } = call
    await countUse(`portal-enter:${request.ip}`, 60, 900)
    const found = await signInAt(params.name)
    if (!found) return send(reply.code(404), goneHtml())
    if (fromElsewhere(request)) return send(reply.code(403), stoppedHtml(outside(found.door, call), 'elsewhere'))
    const entered = await enter(found.link.businessId, found.link.entityId)
    const { door } = found
    if (entered.kind === 'in') {
      reply.setCookie(cookieName, entered.cookie, { ...cookieAt(door), maxAge: sessionDays * 86_400 })
      return reply.redirect(at(door), 303)
    }
    if (entered.kind === 'gone') return send(reply.code(404), goneHtml())
    return send(reply.code(410), stoppedHtml(outside(door, call), entered.kind))
  },
  choose: async (call) => {
    const { params, body, request, reply } = call
    const door = await findDoor(params.name)
    if (!door) return send(reply.code(404), goneHtml())
    if (fromElsewhere(request)) return send(reply.code(403), stoppedHtml(outside(door, call), 'elsewhere'))
    if (isUuid(body.customerId ?? '')) await choosePerson(door.businessId, cookieOf(request), body.customerId ?? '')
    return reply.redirect(at(door), 303)
  },
  leave: async (call) => {
    const { params, body, request, reply } = call
    const door = await findDoor(params.name)
    if (!door) return send(reply.code(404), goneHtml())
    if (fromElsewhere(request)) return send(reply.code(403), stoppedHtml(outside(door, call), 'elsewhere'))
    await signOut(door.businessId, cookieOf(request), body.everywhere === '1')
    reply.clearCookie(cookieName, cookieAt(door))
    return reply.redirect(at(door), 303)
  },
  language: (call) =>
    inside(call, async ({ door, session }) => {
      await withTenant(door, (db) => setSessionLanguage(db, session.id, call.body.language === 'es' ? 'es' : 'en'))
      return call.reply.redirect(at(door), 303)
    }),
  visits: (call) =>
    inside(call, async ({ door, person, view }) => {
      const today = todayAt(door)
      const asked = { customerId: person.customerId, today, language: view.language }
      const facts = await withTenant(door, async (db) => ({
        ahead: call.query.cursor === undefined ? await listAhead(db, asked) : [],
        past: await listPast(db, door, { ...asked, cursor: call.query.cursor }),
      }))
      return send(call.reply, visitsHtml(view, { today, ...facts, isFirst: call.query.cursor === undefined }))
    }),
  visit: (call) =>
    inside(call, async (who) => {
      const { id } = call.params
      const { customerId } = who.person
      const isTheirs =
        isUuid(id) &&
        (await withTenant(who.door, (db) => findVisit(db, who.door, { customerId, visitId: id, now: clock.iso() }))) !==
          null
      return send(call.reply.code(isTheirs ? 200 : 404), await drawVisit(id)(who, undefined as never))
    }),
  skip: (call) => {
    const { id } = call.params
    const { draw: again, work } = withOwnId(id, drawVisit(id), ({ door, person, view }) =>
      skipByCustomer(door, { person, language: view.language, visitId: id, shownDay: call.body.day ?? '' }),
    )
    return deed(call, 'change', () => `/visits/${id}?done=skip`, again, work)
  },
  unskip: (call) => {
    const { id } = call.params
    const { draw: again, work } = withOwnId(id, drawVisit(id), ({ door, person, view }) =>
      unskipByCustomer(door, { person, language: view.language, visitId: id }),
    )
    return deed(call, 'change', () => `/visits/${id}?done=unskip`, again, work)
  },
  bills: (call) => draw(call, drawBills),
  statement: (call) =>
    inside(call, async (who) =>
      who.person.rights.money
        ? call.reply.redirect(await statementPathOf(who.door, who.person), 303)
        : send(call.reply.code(403), await drawBills(who, textsOf(who.view).notAllowed)),
    ),
  card: (call) =>
    inside(call, async (who) => {
      const { money, change } = who.person.rights
      if (!money || !change) return send(call.reply.code(403), await drawBills(who, textsOf(who.view).notAllowed))
      await countUse(`card:${who.person.customerId}:${call.request.ip}`, 10, 600)
      return call.reply.redirect(await cardPathOf(who.door, who.person), 303)
    }),
  removeCard: (call) =>
    deed(
      call,
      'change',
      () => '/bills?done=card',
      drawBills,
      ({ door, person, view }) => {
        if (!person.rights.money) throw new AppError('forbidden', textsOf(view).notAllowed)
        return removeCardByCustomer(door, person)
      },
    ),
  stopAutopay: (call) =>
    deed(
      call,
      'change',
      () => '/bills?done=autopayOff',
      drawBills,
      ({ door, person, view }) => {
        if (!person.rights.money) throw new AppError('forbidden', textsOf(view).notAllowed)
        return stopAutopayByCustomer(door, person)
      },
    ),
  startAutopay: (call) =>
    deed(
      call,
      'change',
      () => '/bills?done=autopayOn',
      drawBills,
      ({ door, person, view }) => {
        if (!person.rights.money) throw new AppError('forbidden', textsOf(view).notAllowed)
        return startAutopayByCustomer(door, {
          person,
          language: view.language,
          words: call.body.mandate ?? '',
          ip: call.request.ip,
        })
      },
    ),
  papers: (call) =>
    inside(call, async ({ door, person, view }) => {
      const { customerId, rights } = person
      const facts = await withTenant(door, async (db) => ({
        invoices: rights.money ? await listIssued(db, customerId, { cursor: call.query.cursor }) : null,
        quotes: rights.quotes ? await listSentQuotes(db, customerId) : [],
        treatments: await listTreatments(db, customerId),
      }))
      return send(call.reply, papersHtml(view, facts))
    }),
  treatments: (call) =>
    inside(call, async ({ door, person }) => {
      await countUse(`treatments:${person.customerId}`, 30, 600)
      const applied = await withTenant(door, (db) => listApplied(db, person.customerId))
      const drawn = await drawCustomerRecords(
        applied.map(({ facts }) => facts),
        { business: door.name, timeZone: door.timeZone },
      )
      return call.reply.send(sendPdf(call.reply, 'lawn-treatments', drawn))
    }),
  service: (call) =>
    inside(call, async (who) =>
      who.person.rights.change
        ? send(call.reply, await drawService(who, undefined as never))
        : send(call.reply.code(403), await drawHome(who, textsOf(who.view).notAllowed)),
    ),
  pause: (call) => {
    const { id } = call.params
    const { draw: again, work } = withOwnId(id, drawService, ({ door, person, view }) =>
      pauseByCustomer(door, {
        person,
        language: view.language,
        jobId: id,
        until: (call.body.until ?? '').slice(0, 10),
        onceKey: onceOf(call.body),
      }),
    )
    return deed(call, 'change', () => '/service?done=pause', again, work)
  },
  resume: (call) => {
    const { id } = call.params
    const { draw: again, work } = withOwnId(id, drawService, ({ door, person, view }) =>
      resumeByCustomer(door, { person, language: view.language, jobId: id }),
    )
    return deed(call, 'change', () => '/service?done=resume', again, work)
  },
  request: (call) => {
    const { id } = call.params
    const { draw: again, work } = withOwnId(id, drawService, ({ door, person, view }) =>
      askForService(door, {
        person,
        language: view.language,
        serviceId: id,
        propertyId: (call.body.propertyId ?? '').slice(0, 60),
        words: (call.body.words ?? '').trim().slice(0, 1000),
        onceKey: onceOf(call.body),
      }),
    )
    return deed(call, 'change', () => '/service?done=ask', again, work)
  },
  messages: (call) =>
    inside(call, async (who) => {
      const { re: about, pause, cursor } = call.query
      const visit =
        about && isUuid(about)
          ? await withTenant(who.door, (db) =>
              findVisit(db, who.door, { customerId: who.person.customerId, visitId: about, now: clock.iso() }),
            )
          : null
      const job = pause
        ? (await withTenant(who.door, (db) => listJobs(db, who.door, who.person.customerId))).find(
            ({ id }) => id === pause,
          )
        : undefined
      const t = textsOf(who.view)
      const day = visit?.shown.day
      const typed = day ? t.about(`${visit.shown.services || t.work}, ${day}`) : job ? t.aboutPause(job.title) : ''
      return send(call.reply, await drawMessages({ cursor, typed })(who, undefined as never))
    }),
  write: (call) =>
    inside(call, async (who) => {
      const { door, person, view } = who
      const t = textsOf(view)
      const { body } = call
      const typed = (body.text ?? '').replace(/\r\n/g, '\n').trim()
      const photos = body.photos ?? []
      const once = onceOf(body)
      const wrong = typed === '' ? t.emptyMessage : typed.length > 4000 ? t.longMessage : undefined
      const wrongPhotos = photosProblem(photos, body[formWasTooLarge] !== undefined, t)
      const again = async (status: number, said: { wrong?: string | undefined; wrongPhotos?: string | undefined }) =>
        send(call.reply.code(status), await drawMessages({ typed, once, ...said })(who, undefined as never))
      if (wrong || wrongPhotos) return again(422, { wrong, wrongPhotos })
      try {
        await countUse(`portal-write:${person.customerId}`, 30, 3600)
        await writeByCustomer(door, { person, text: typed, photos, key: once }, t)
        return call.reply.redirect(at(door, '/messages?done=write'), 303)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'validation_failed') return again(422, { wrongPhotos: error.errors?.[0]?.message })
        return send(call.reply.code(error.status), await drawMessages({ typed, once })(who, error.message))
      }
    }),
  account: (call) => draw(call, drawAccount()),
  saveAccount: (call) =>
    inside(call, async (who) => {
      const { door, session, person, view } = who
      const t = textsOf(view)
      const typed = readAccountForm(call.body)
      const problems = accountProblems(typed)
      if (problems.length > 0) return send(call.reply.code(422), await drawAccount({ typed, problems })(who, t.wrong))
      try {
        await saveAccount(door, { session, person, form: typed, version: Number(call.body.version) })
        return call.reply.redirect(at(door, '/account?done=save'), 303)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const words = error.code === 'version_conflict' ? t.changedMeanwhile : error.message
        return send(
          call.reply.code(error.status),
          await drawAccount(error.code === 'version_conflict' ? {} : { typed })(who, words),
        )
      }
    }),
  moveHouse: (call) =>
    deed(
      call,
      'change',
      () => '/account?done=address',
      drawAccount(),
      ({ door, person, view }) => {
        const of = (name: string, max: number) => (call.body[name] ?? '').trim().slice(0, max)
        const address = {
          street: of('street', 200),
          unit: of('unit', 40),
          city: of('city', 100),
          state: of('state', 2).toUpperCase(),
          zip: of('zip', 10),
        }
        if (!address.street || !address.city || !/^\d{5}(-\d{4})?$/.test(address.zip))
          throw new AppError('state_conflict', textsOf(view).addressNeeded)
        return askForAddress(door, {
          person,
          language: view.language,
          propertyId: of('propertyId', 60),
          address,
          words: of('words', 1000),
          onceKey: onceOf(call.body),
        })
      },
    ),
})

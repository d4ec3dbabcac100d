import { useRef, useState } from 'react'
import { dayOf, minuteOfDay } from '../../../../shared/dates.ts'
import { Alert } from '../../../../ui/field/Alert.tsx'
import { CheckItem } from '../../../../ui/field/CheckItem.tsx'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../../ui/field/FieldInput.tsx'
import { FieldSelect } from '../../../../ui/field/FieldSelect.tsx'
import { PhotoButton } from '../../../../ui/field/PhotoButton.tsx'
import { Sheet } from '../../../../ui/field/Sheet.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { signCaption } from '../../../chemicals/records/rules.ts'
import { plainNumber, type Wind, winds } from '../../../chemicals/rules.ts'
import type { CrewStop } from '../../contract.ts'
import { timeValue } from '../../figures/rules.ts'
import { shownNow } from '../../rules.ts'
import { signTicks } from '../../sign/rules.ts'
import type { CrewChemicals } from '../../treat/contract.ts'
import {
  amountsOf,
  carriedTimes,
  checkForm,
  filledForm,
  leftEmpty,
  mixesFor,
  numberOf,
  recordOf,
  type TreatForm,
  timesOf,
  typedTimes,
} from '../../treat/rules.ts'
import type { Crew } from '../data.ts'
import { deviceClock } from '../deviceClock.ts'
import { hasRoom } from '../photo.ts'
import { whereNow } from '../positions/whereNow.ts'
import { type TreatTexts, treatTexts } from './treatTexts.ts'
import './treat.css'

type Props = { crew: Crew; stop: CrewStop; chemicals: CrewChemicals; words: TreatTexts; onClose: () => void }

const Mixes = ({
  chemicals,
  stop,
  words,
  onChoose,
}: Omit<Props, 'crew' | 'onClose'> & { onChoose: (id: string) => void }) => {
  const { usual, others } = mixesFor(chemicals.mixes, stop)
  const groups = [
    { title: words.usualMix, mixes: usual },
    { title: usual.length > 0 ? words.otherMixes : words.whichMix, mixes: others },
  ].filter(({ mixes }) => mixes.length > 0)
  return groups.map(({ title, mixes }) => (
    <section key={title} className="c-stack" aria-label={title}>
      <p>{title}</p>
      {mixes.map((mix) => {
        const amounts = amountsOf(mix, stop.treatment?.squareFeet ?? null)
        const hint = mix.products
          .map(({ name, unit }, index) => [amounts.products[index]?.amount, unit, name].filter(Boolean).join(' '))
          .join(', ')
        return (
          <FieldButton key={mix.id} onClick={() => onChoose(mix.id)}>
            <span className="c-mix">
              <b>{mix.name}</b>
              <span>{hint}</span>
            </span>
          </FieldButton>
        )
      })}
    </section>
  ))
}

type FormProps = Props & { mix: CrewChemicals['mixes'][number]; onBack: () => void }

const Form = ({ crew, stop, chemicals, words, onClose, mix, onBack }: FormProps) => {
  const [openedWall] = useState(() => Date.now())
  // on our clock, also where the phone learns only now how far its own is off
  const openedAt = shownNow(openedWall, deviceClock.known())
  const [form, setForm] = useState<TreatForm>(() =>
    filledForm(chemicals, stop, mix, {
      userId: crew.outbox.userId,
      appliedMs: Date.parse(timesOf(stop, undefined, openedAt).endedAt),
    }),
  )
  const [areaAt, setAreaAt] = useState('')
  const [asked, setAsked] = useState(false)
  const [sealing, setSealing] = useState(false)
  const busy = useRef(false)
  const set = (change: Partial<TreatForm>) => {
    setForm({ ...form, ...change })
    setSealing(false)
  }
  const typed = (change: Partial<TreatForm>) => set({ ...change, source: 'typed' })
  const known = timesOf(stop, undefined, openedAt)
  const typedTime = typedTimes(known, form, crew.timeZone, Math.max(crew.now, openedAt))
  const { startedAt } = typedTime ?? known
  const shownTime = (time: string, instant: string) => time || timeValue(minuteOfDay(instant, crew.timeZone))
  const areas = stop.treatment?.areas ?? []
  const areaLabel = (area: (typeof areas)[number]) => area.name || words.kinds[area.kind]
  const chooseArea = (at: string) => {
    const area = areas[Number(at)]
    const squareFeet = at === '' ? (stop.treatment?.squareFeet ?? null) : (area?.squareFeet ?? null)
    set({
      areaName: area ? areaLabel(area) : '',
      squareFeet: squareFeet === null ? '' : String(squareFeet),
      ...amountsOf(mix, squareFeet),
    })
  }
  const where = { state: stop.state, day: dayOf(startedAt, crew.timeZone), startedAt }
  const check = checkForm(chemicals, form, where)
  const ownOnly = checkForm(chemicals, { ...form, supervisorId: '' }, where)
  const asksSupervisor = ownOnly.license === 'missing' || ownOnly.license === 'refused'
  const must = stop.treatment?.needed === true
  // open from the start where something in it is lacking, and then as the crew leaves it
  const [startsOpen] = useState(must && check.missing.length > 0)
  const fields = check.missing.map((field) => words.fields[field]).join(', ')
  const isBad = check.unread.length > 0 || typedTime === null
  const empty = leftEmpty(form)
  /** The checklist asks for the sign as well: nobody says it twice, and the record is what counts. */
  const tickSign = async () => {
    for (const tick of signTicks(stop, form.signPosted)) await crew.act('check', stop, tick)
  }
  const save = async () => {
    if (busy.current || isBad) return
    busy.current = true
    try {
      const told = crew.state.bundle?.days.flatMap(({ stops }) => stops).find(({ id }) => id === stop.id)
      const wall = Date.now()
      const now = shownNow(wall, deviceClock.known())
      const shown = timesOf(stop, told, now)
      const { ours, ...times } = carriedTimes(typedTimes(shown, form, crew.timeZone, now) ?? shown, now - wall)
      const record = recordOf(chemicals, form, { ...times, notice: words.notice, signedBy })
      await crew.act('treat', stop, {
        record,
        whole: check.missing.length === 0 && check.license !== 'refused',
        ourTimes: ours,
        ...(form.weatherAt && form.source === 'forecast' ? { weatherAt: form.weatherAt } : {}),
      })
      navigator.vibrate?.(40)
      toast.success(words.saved(mix.name))
      onClose()
    } catch {
      toast.error(crew.t.notSaved)
      busy.current = false
      return
    }
    // the record is kept: who read that it was not would save a second one
    await tickSign().catch(() => toast.error(words.notTicked))
    busy.current = false
  }
  const photo = async (files: File[]) => {
    try {
      if (!(await hasRoom())) return void toast.error(crew.t.noRoom)
      // It is the record's: an item of the checklist is none, so nothing is ticked that the customer would read.
      const place = crew.clock?.state === 'off' ? null : await whereNow(crew.outbox.userId)
      await crew.takePhoto(stop, 'other', files, undefined, signCaption, place)
      setForm((now) => ({ ...now, signPosted: true }))
      setSealing(false)
      toast.success(crew.t.photoSaved)
    } catch {
      toast.error(crew.t.notSaved)
    }
  }
  const signedBy = chemicals.people.find(({ id }) => id === crew.outbox.userId)?.name ?? ''
  const people = chemicals.people.map(({ id, name }) => ({ value: id, label: name }))
  const more = [
    ['target', words.target, 120],
    ['method', words.method, 80],
    ['equipment', words.equipment, 80],
    ['sky', words.sky, 60],
    ['soil', words.soil, 60],
    ['neighborsTold', words.neighbors, 300],
    ['disposal', words.disposal, 300],
    ['incident', words.incident, 1000],
  ] as const
  return (
    <form
      className="c-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (isBad) return
        if (empty.length > 0) setSealing(true)
        else void save()
      }}
    >
      <p className="c-who">
        <b>{mix.name}</b>
      </p>
      {areas.length > 0 ? (
        <FieldSelect
          label={words.where}
          value={areaAt}
          choices={[
            { value: '', label: words.wholeLawn },
            ...areas.map((area, index) => ({ value: String(index), label: areaLabel(area) })),
          ]}
          onChange={(at) => {
            setAreaAt(at)
            chooseArea(at)
          }}
        />
      ) : null}
      <FieldInput
        label={words.area}
        inputMode="numeric"
        value={form.squareFeet}
        error={asked && check.unread.includes('area') ? words.areaWrong : undefined}
        onChange={(squareFeet) => set({ squareFeet, ...amountsOf(mix, numberOf(squareFeet)) })}
      />
      {mix.products.map(({ productId, name, unit, rate }) => {
        const line = form.products.find((one) => one.productId === productId)
        return (
          <FieldInput
            key={productId}
            label={words.used(name, unit)}
            inputMode="decimal"
            hint={words.rate(plainNumber(rate), unit)}
            value={line?.amount ?? ''}
            error={asked && !numberOf(line?.amount ?? '') ? words.usedWrong : undefined}
            onChange={(amount) =>
              set({ products: form.products.map((one) => (one.productId === productId ? { ...one, amount } : one)) })
            }
          />
        )
      })}
      {mix.carrierGallons === null ? null : (
        <FieldInput
          label={words.water}
          inputMode="decimal"
          value={form.carrierGallons}
          onChange={(carrierGallons) => set({ carrierGallons })}
        />
      )}
      <FieldInput
        label={words.begun}
        type="time"
        value={shownTime(form.startTime, known.startedAt)}
        onChange={(startTime) => set({ startTime })}
      />
      <FieldInput
        label={words.ended}
        type="time"
        value={shownTime(form.endTime, known.endedAt)}
        error={typedTime === null ? words.timesWrong : undefined}
        onChange={(endTime) => set({ endTime })}
      />
      <FieldInput
        label={words.wind}
        inputMode="decimal"
        hint={form.source === 'forecast' ? words.forecast : form.source === 'none' ? words.noWeather : undefined}
        value={form.windMph}
        onChange={(windMph) => typed({ windMph })}
      />
      <FieldSelect<Wind>
        label={words.windFrom}
        value={form.windFrom}
        choices={winds.map((wind) => ({ value: wind, label: words.winds[wind] }))}
        onChange={(windFrom) => typed({ windFrom })}
      />
      <FieldInput
        label={words.temperature}
        inputMode="decimal"
        value={form.temperatureF}
        onChange={(temperatureF) => typed({ temperatureF })}
      />
      <CheckItem label={words.sign} checked={form.signPosted} onChange={(signPosted) => set({ signPosted })} />
      <PhotoButton onPhotos={(files) => void photo(files)}>{words.signPhoto}</PhotoButton>
      <CheckItem label={words.notice} checked={form.noticeLeft} onChange={(noticeLeft) => set({ noticeLeft })} />
      <FieldSelect
        label={words.by}
        value={form.applicatorId}
        choices={people}
        onChange={(applicatorId) => set({ applicatorId })}
      />
      {asksSupervisor ? (
        <FieldSelect
          label={words.supervisor}
          value={form.supervisorId}
          choices={[{ value: '', label: words.nobody }, ...people.filter(({ value }) => value !== form.applicatorId)]}
          onChange={(supervisorId) => set({ supervisorId })}
        />
      ) : null}
      {check.license === 'missing' ? <Alert tone="wait">{words.missingLicense}</Alert> : null}
      {check.license === 'refused' ? <Alert>{words.refusedLicense}</Alert> : null}
      <details className="c-treat-more" open={startsOpen || undefined}>
        <summary>{words.more}</summary>
        <div className="c-stack">
          {more.map(([key, label, most]) => (
            <FieldInput
              key={key}
              label={label}
              maxLength={most}
              value={form[key]}
              {...(key === 'incident' ? { lines: 2 } : {})}
              onChange={(value) => (key === 'sky' ? typed({ sky: value }) : set({ [key]: value }))}
            />
          ))}
        </div>
      </details>
      <p className="muted">{words.stays}</p>
      {signedBy ? <p>{words.signs(signedBy)}</p> : null}
      <div className="f-sheet__stay">
        {check.missing.length > 0 ? (
          <div role="status">
            <Alert tone="wait">{must ? words.missingMust(fields) : words.missing(fields)}</Alert>
          </div>
        ) : null}
        {sealing ? (
          <>
            <Alert tone="wait">{words.saveWithout(empty.map((field) => words.fields[field]).join(', '))}</Alert>
            {/* Where Save stood: a trembling thumb seals nothing. */}
            <FieldButton kind="main" onClick={() => setSealing(false)}>
              {words.fillIn}
            </FieldButton>
            <FieldButton onClick={() => void save()}>{words.saveSo}</FieldButton>
          </>
        ) : (
          <>
            <FieldButton kind="main" type="submit">
              {check.license === 'refused'
                ? words.sendAsIs
                : must && check.missing.length > 0
                  ? words.saveAsIs
                  : words.save}
            </FieldButton>
            {chemicals.mixes.length > 1 ? <FieldButton onClick={onBack}>{words.otherMix}</FieldButton> : null}
          </>
        )}
      </div>
    </form>
  )
}

/** The one that the sheet opens with: the only one there is, or the one that this stop is usually treated with and has no record of yet. */
const mixAtFirst = ({ mixes }: CrewChemicals, stop: CrewStop): string | null => {
  const { usual } = mixesFor(mixes, stop)
  const [only] = mixes.length === 1 ? mixes : usual.length === 1 && stop.treatment?.records === 0 ? usual : []
  return only?.id ?? null
}

const Treat = (props: Props) => {
  const { chemicals, stop } = props
  const [mixId, setMixId] = useState<string | null>(() => mixAtFirst(chemicals, stop))
  const mix = chemicals.mixes.find(({ id }) => id === mixId)
  return mix ? (
    <Form key={mix.id} {...props} mix={mix} onBack={() => setMixId(null)} />
  ) : (
    <Mixes {...props} onChoose={setMixId} />
  )
}

/** What was put on the lawn: one tap on a mix fills the whole record. Works the same with and without a signal. */
export const TreatSheet = ({ crew, stop, onClose }: { crew: Crew; stop: CrewStop | null; onClose: () => void }) => {
  const words = treatTexts[crew.language]
  const chemicals = crew.bundle?.chemicals
  return (
    <Sheet
      open={stop !== null && chemicals !== undefined}
      onClose={onClose}
      title={words.title}
      closeLabel={crew.t.close}
    >
      {stop && chemicals ? (
        <Treat key={stop.id} crew={crew} stop={stop} chemicals={chemicals} words={words} onClose={onClose} />
      ) : null}
    </Sheet>
  )
}

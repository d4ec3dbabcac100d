import { useState } from 'react'
import type { Stroke } from '../../../../shared/strokes.ts'
import { Alert } from '../../../../ui/field/Alert.tsx'
import { ChoiceList } from '../../../../ui/field/ChoiceList.tsx'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../../ui/field/FieldInput.tsx'
import { PenPad } from '../../../../ui/field/PenPad.tsx'
import { PhotoButton } from '../../../../ui/field/PhotoButton.tsx'
import { Sheet } from '../../../../ui/field/Sheet.tsx'
import { PhotoStrokes } from '../../../../ui/PhotoStrokes.tsx'
import { toast } from '../../../../ui/toast.tsx'
import {
  type ConsentWay,
  mostQuantity,
  type SellDay,
  saleCents,
  saleName,
  saleTitle,
  saleWords,
} from '../../../extras/sales/rules.ts'
import type { CrewStop } from '../../contract.ts'
import { isOnStop } from '../../extras/rules.ts'
import type { Crew } from '../data.ts'
import { useShots } from '../extras/useShots.ts'
import { persistStorage } from '../photo.ts'
import { whereNow } from '../positions/whereNow.ts'
import { agreeTexts, saleTexts } from './saleTexts.ts'
import '../extras/extras.css'
import './sales.css'

type Props = { crew: Crew; stop: CrewStop; onClose: () => void }
type Agreed = { signer: string; strokes: readonly Stroke[] }

const pad = { width: 700, height: 360 }

/** The one screen that names the price: the customer reads it in their own language, and signs. */
const Agree = ({
  words,
  language,
  busy,
  onBack,
  onAgree,
  back,
}: {
  words: string
  language: 'en' | 'es'
  busy: boolean
  back: string
  onBack: () => void
  onAgree: (agreed: Agreed) => void
}) => {
  const t = agreeTexts[language]
  const [signer, setSigner] = useState('')
  const [strokes, setStrokes] = useState<readonly Stroke[]>([])
  const [asked, setAsked] = useState(false)
  const ready = signer.trim() !== '' && strokes.length > 0
  return (
    <div className="c-stack" lang={language}>
      <p className="c-agree">{words}</p>
      <FieldInput label={t.name} value={signer} onChange={setSigner} maxLength={120} autoComplete="off" />
      <PenPad
        label={t.sign}
        color="red"
        className="c-sign"
        strokes={strokes}
        onStroke={(stroke) => setStrokes([...strokes, stroke].slice(0, 40))}
      >
        {(shown) => <PhotoStrokes strokes={shown} size={pad} fit="stretch" ink />}
      </PenPad>
      <p className="muted">{t.sign}</p>
      {asked && !ready ? (
        <p className="f-input__error" role="alert">
          {t.needed}
        </p>
      ) : null}
      <FieldButton
        kind="main"
        busy={busy}
        onClick={() => {
          setAsked(true)
          if (ready) onAgree({ signer: signer.trim(), strokes })
        }}
      >
        {t.agree}
      </FieldButton>
      <div className="f-actions">
        <FieldButton disabled={strokes.length === 0} onClick={() => setStrokes([])}>
          {t.clear}
        </FieldButton>
        <FieldButton onClick={onBack}>{back}</FieldButton>
      </div>
    </div>
  )
}

const Form = ({ crew, stop, onClose }: Props) => {
  const t = saleTexts(crew.language)
  const sales = crew.bundle?.sales
  const here = sales?.stops.find(({ visitId }) => visitId === stop.id)
  const [serviceId, setServiceId] = useState<string | null>(null)
  const [typed, setTyped] = useState('1')
  const [planned, setPlanned] = useState<SellDay>('today')
  const [note, setNote] = useState('')
  const [asked, setAsked] = useState(false)
  const [signing, setSigning] = useState(false)
  /** How they would like it that is done here anyway, until they say that they mean it. */
  const [twice, setTwice] = useState<ConsentWay | null>(null)
  const [saving, setSaving] = useState(false)
  const { shots, urls, busy, take } = useShots(crew, 3)
  const service = sales?.services.find(({ id }) => id === serviceId) ?? null
  const quantity = Number(typed.replace(',', '.'))
  const fits = quantity >= 0.5 && quantity <= mostQuantity
  const unitCents = service ? (here?.units[service.id] ?? null) : null
  const cents = fits ? saleCents(quantity, unitCents) : null
  const isReady = service !== null && fits
  const isTwice = service !== null && isOnStop(service, stop)
  const save = async (way: ConsentWay, { signer, strokes }: Agreed = { signer: '', strokes: [] }) => {
    if (saving || !service) return
    setSaving(true)
    try {
      persistStorage()
      const position = way === 'signature' ? await whereNow(crew.outbox.userId) : null
      await crew.outbox.enqueue(
        {
          type: 'sell',
          visitId: stop.id,
          payload: {
            sale: {
              serviceId: service.id,
              quantity,
              note: note.trim(),
              photoIds: shots.map(({ id }) => id),
              planned,
              way,
              unitCents,
              signer,
              strokes: [...strokes],
              position,
            },
          },
          label: stop.street,
        },
        shots.map((shot) => ({ ...shot, visitId: stop.id, kind: 'other', label: stop.street })),
      )
      toast.success(t.saved)
      onClose()
    } catch {
      toast.error(crew.t.notSaved)
      setSaving(false)
    }
  }
  const goOn = (way: ConsentWay) => {
    setTwice(null)
    if (way === 'signature') setSigning(true)
    else void save(way)
  }
  const go = (way: ConsentWay) => () => {
    setAsked(true)
    if (!isReady) return
    if (isTwice) setTwice(way)
    else goOn(way)
  }
  if (signing && service && cents !== null) {
    const language = stop.customerLanguage ?? 'en'
    const title = saleTitle(saleName(service, language), quantity, service.unit, language)
    return (
      <Agree
        words={saleWords({
          language,
          business: sales?.business ?? '',
          street: stop.street,
          title,
          priceCents: cents,
          planned,
        })}
        language={language}
        busy={saving}
        back={t.back}
        onBack={() => setSigning(false)}
        onAgree={(agreed) => void save('signature', agreed)}
      />
    )
  }
  return (
    <>
      <ChoiceList
        label={t.what}
        value={serviceId}
        onChange={(id) => {
          setServiceId(id)
          setTwice(null)
        }}
        choices={(sales?.services ?? []).map((one) => ({
          value: one.id,
          label: saleName(one, crew.language),
          hint: isOnStop(one, stop) ? t.onStop : undefined,
        }))}
      />
      {asked && !service ? (
        <p className="f-input__error" role="alert">
          {t.pick}
        </p>
      ) : null}
      <FieldInput
        label={t.quantity(t.units[service?.unit ?? 'visit'] ?? '')}
        value={typed}
        onChange={setTyped}
        inputMode="decimal"
        maxLength={6}
        error={fits ? undefined : t.wrong}
      />
      <ChoiceList
        label={t.when}
        value={planned}
        onChange={setPlanned}
        choices={(['today', 'later'] as const).map((value) => ({ value, label: t.days[value] }))}
      />
      <FieldInput label={t.note} value={note} onChange={setNote} lines={2} maxLength={500} />
      {urls.length > 0 ? (
        <ul className="c-shots">
          {urls.map((url, at) => (
            <li key={url}>
              <img src={url} alt={t.photoOf(at + 1)} />
            </li>
          ))}
        </ul>
      ) : null}
      <PhotoButton busy={busy} onPhotos={(files) => void take(files)}>
        {t.photo}
      </PhotoButton>
      {service && twice ? (
        <>
          <Alert tone="wait">{t.again(saleName(service, crew.language))}</Alert>
          <FieldButton kind="main" busy={saving} onClick={() => isReady && goOn(twice)}>
            {t.addAgain}
          </FieldButton>
          <FieldButton onClick={onClose}>{t.notAgain}</FieldButton>
        </>
      ) : service && unitCents === null ? (
        <>
          <p>{t.noPrice}</p>
          <FieldButton kind="main" busy={saving} onClick={go('none')}>
            {t.toOffice}
          </FieldButton>
        </>
      ) : (
        <>
          <FieldButton kind="main" onClick={go('signature')}>
            {t.sign}
          </FieldButton>
          {here?.reached ? (
            <>
              <FieldButton busy={saving} onClick={go('link')}>
                {t.text}
              </FieldButton>
              <p className="muted">{t.textHint}</p>
            </>
          ) : (
            <p className="muted">{t.noWay}</p>
          )}
        </>
      )}
    </>
  )
}

/** Further work for the customer at the door: what, how much, when, and their OK. */
export const SellSheet = ({ open, ...props }: Props & { open: boolean }) => (
  <Sheet
    open={open}
    onClose={props.onClose}
    title={saleTexts(props.crew.language).title(props.stop.street)}
    closeLabel={props.crew.t.close}
  >
    {open ? <Form {...props} /> : null}
  </Sheet>
)

import { useEffect, useRef, useState } from 'react'
import { ChoiceList } from '../../../ui/field/ChoiceList.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../ui/field/FieldInput.tsx'
import { PhotoButton } from '../../../ui/field/PhotoButton.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import { skipReasons } from '../../visits/rules.ts'
import type { CrewBundle, CrewStop } from '../contract.ts'
import type { Crew } from './data.ts'
import { FinishWithout } from './FinishWithout.tsx'
import { skipLabel } from './labels.ts'

type Props = {
  crew: Crew
  stop: CrewStop | null
  onClose: () => void
  onSkip: (stop: CrewStop, reason: string, note: string) => void
  onPhotos: (stop: CrewStop, files: File[]) => void
}

const photosOf = ({ photos }: CrewStop): number => photos.before + photos.after + photos.other

/** The business's reasons; a day that was stored before there were any knows ours. */
const reasonsOf = (bundle: CrewBundle | null) =>
  bundle?.skips ??
  skipReasons.map((code) => ({
    code: code as string,
    nameEs: '',
    needsPhoto: false,
    needsNote: code === 'other',
    charged: false,
  }))

const Form = ({ crew, stop, onSkip, onPhotos }: Omit<Props, 'onClose'> & { stop: CrewStop }) => {
  const { t } = crew
  const [code, setCode] = useState<string | null>(null)
  const [note, setNote] = useState('')
  /** How often somebody wanted to skip: each time what is still missing comes into sight. */
  const [asked, setAsked] = useState(0)
  const [before] = useState(() => photosOf(stop))
  const reasons = reasonsOf(crew.bundle)
  const reason = reasons.find((one) => one.code === code)
  const missing = reason?.needsNote === true && note.trim() === ''
  const taken = photosOf(stop) - before
  const photoMissing = reason?.needsPhoto === true && taken <= 0
  const asks = useRef<HTMLDivElement>(null)
  // What a reason asks for stands below the reasons, and on a small phone below the fold.
  useEffect(() => {
    if (code || asked > 0) asks.current?.scrollIntoView?.({ block: 'nearest' })
  }, [code, asked])
  return (
    <>
      <ChoiceList
        label={<span className="ui-hidden">{t.whySkip(stop.street)}</span>}
        choices={reasons.map((one) => ({
          value: one.code,
          label: <span>{skipLabel(one, crew)}</span>,
          hint: one.charged ? t.skipCharged : undefined,
        }))}
        value={code}
        onChange={setCode}
      />
      {reason ? (
        <div ref={asks} className="c-stack">
          {reason.needsPhoto ? (
            <>
              <p role="status">{photoMissing ? t.skipPhoto : t.photosKept(taken)}</p>
              <PhotoButton onPhotos={(files) => onPhotos(stop, files)}>
                {photoMissing ? t.takePhoto : t.takeAnother}
              </PhotoButton>
            </>
          ) : null}
          <FieldInput
            label={t.skipNote}
            hint={t.skipNoteHint}
            error={asked > 0 && missing ? t.skipNoteNeeded : undefined}
            value={note}
            onChange={setNote}
            lines={2}
            maxLength={500}
          />
        </div>
      ) : null}
      <div className="f-sheet__stay">
        <FieldButton
          kind="danger"
          disabled={!reason || photoMissing}
          onClick={() => {
            setAsked(asked + 1)
            if (reason && !missing) onSkip(stop, reason.code, note.trim())
          }}
        >
          {t.skipThis}
        </FieldButton>
        {reason && photoMissing ? (
          <FinishWithout
            key={reason.code}
            words={{
              open: t.skipNoPhoto,
              why: t.whyNoPhoto,
              hint: t.skipNoteHint,
              needed: t.whyNoPhotoNeeded,
              finish: t.skipThisNoPhoto,
            }}
            onFinish={(why) => {
              setAsked(asked + 1)
              if (!missing) onSkip(stop, reason.code, [note.trim(), t.noPhoto(why)].filter(Boolean).join(' · '))
            }}
          />
        ) : null}
      </div>
    </>
  )
}

/** Why a stop is skipped: big reasons, and words or a photo where a reason asks for them. */
export const SkipSheet = ({ crew, stop, onClose, ...deeds }: Props) => (
  <Sheet
    open={stop !== null}
    onClose={onClose}
    title={stop ? crew.t.whySkip(stop.street) : ''}
    closeLabel={crew.t.close}
  >
    {stop ? <Form key={stop.id} crew={crew} stop={stop} {...deeds} /> : null}
  </Sheet>
)

import { CheckItem } from '../../../../ui/field/CheckItem.tsx'
import { FieldInput } from '../../../../ui/field/FieldInput.tsx'
import { PhotoButton } from '../../../../ui/field/PhotoButton.tsx'
import { mostDefectPhotos } from '../../../equipment/checks/rules.ts'
import type { Defect } from '../../check/rules.ts'
import type { CheckTexts } from './checkTexts.ts'

type Props = {
  words: CheckTexts
  label: string
  answer: true | Defect | undefined
  asked: boolean
  onAnswer: (answer: true | Defect) => void
  onPhotos: (files: File[]) => void
}

/** One point: OK, or what is wrong with it. */
export const CheckPoint = ({ words, label, answer, asked, onAnswer, onPhotos }: Props) => {
  const defect = answer === true || answer === undefined ? null : answer
  return (
    <fieldset className="c-point">
      <legend>{label}</legend>
      <div className="c-point__answers">
        <button type="button" aria-pressed={answer === true} className="c-point__ok" onClick={() => onAnswer(true)}>
          {words.ok}
        </button>
        <button
          type="button"
          aria-pressed={defect !== null}
          className="c-point__wrong"
          onClick={() => defect ?? onAnswer({ id: crypto.randomUUID(), note: '', stops: false, photos: [] })}
        >
          {words.problem}
        </button>
      </div>
      {defect ? (
        <div className="c-point__more">
          <FieldInput
            label={words.what}
            value={defect.note}
            onChange={(note) => onAnswer({ ...defect, note })}
            error={asked && defect.note.trim() === '' ? words.whatNeeded : undefined}
            lines={2}
            maxLength={500}
          />
          {defect.photos.length < mostDefectPhotos ? (
            <PhotoButton onPhotos={onPhotos}>{words.photo}</PhotoButton>
          ) : null}
          {defect.photos.length > 0 ? <p role="status">{words.photos(defect.photos.length)}</p> : null}
          <CheckItem
            label={words.stops}
            hint={words.stopsHint}
            checked={defect.stops}
            onChange={(stops) => onAnswer({ ...defect, stops })}
          />
        </div>
      ) : null}
    </fieldset>
  )
}

import { useState } from 'react'
import { changeOf, mostStrokes, type Stroke, type StrokeColor, strokeColors } from '../../../../shared/strokes.ts'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { PenPad } from '../../../../ui/field/PenPad.tsx'
import { Sheet } from '../../../../ui/field/Sheet.tsx'
import { PhotoStrokes } from '../../../../ui/PhotoStrokes.tsx'
import { toast } from '../../../../ui/toast.tsx'
import type { CrewStop } from '../../contract.ts'
import type { Crew } from '../data.ts'
import { markTexts } from './markTexts.ts'
import type { StopPhoto } from './stopPhotos.ts'
import './marks.css'

type Props = { crew: Crew; stop: CrewStop; photo: StopPhoto; onClose: () => void }

const Form = ({ crew, stop, photo, onClose }: Props) => {
  const words = markTexts(crew.language)
  const [color, setColor] = useState<StrokeColor>('red')
  // What others draw meanwhile comes on top when this one is saved.
  const [before] = useState(photo.strokes)
  const [strokes, setStrokes] = useState<readonly Stroke[]>(before)
  const change = changeOf(before, strokes)
  const isChanged = change.add.length + change.gone.length > 0
  const draw = (stroke: Stroke) => {
    if (strokes.length >= mostStrokes) return void toast.message(words.full)
    setStrokes([...strokes, stroke])
  }
  const save = async () => {
    if (!isChanged) return onClose()
    try {
      await crew.act('mark', stop, { mark: { photoId: photo.id, add: [...change.add], gone: [...change.gone] } })
      toast.success(words.saved)
      onClose()
    } catch {
      toast.error(crew.t.notSaved)
    }
  }
  return (
    <>
      <PenPad label={words.pad} color={color} strokes={strokes} onStroke={draw}>
        {(shown) => (
          <>
            <img src={photo.url ?? ''} alt="" draggable={false} />
            <PhotoStrokes strokes={shown} fit="contain" />
          </>
        )}
      </PenPad>
      <fieldset className="c-pen-colors" aria-label={words.colors}>
        {strokeColors.map((one) => (
          <button key={one} type="button" aria-pressed={one === color} onClick={() => setColor(one)}>
            <i className={`is-${one}`} aria-hidden="true" />
            {words.color[one]}
          </button>
        ))}
      </fieldset>
      <div className="f-actions">
        <FieldButton disabled={strokes.length === 0} onClick={() => setStrokes(strokes.slice(0, -1))}>
          {words.undo}
        </FieldButton>
        <FieldButton disabled={strokes.length === 0} onClick={() => setStrokes([])}>
          {words.clear}
        </FieldButton>
      </div>
      <div className="f-sheet__stay">
        <FieldButton kind="main" onClick={() => void save()}>
          {words.save}
        </FieldButton>
      </div>
    </>
  )
}

/** A pen over a photo. What is drawn is kept beside it; the photo stays as it was taken. */
export const PenSheet = ({ photo, ...props }: Omit<Props, 'photo'> & { photo: StopPhoto | null }) => (
  <Sheet
    open={photo !== null}
    onClose={props.onClose}
    title={markTexts(props.crew.language).title}
    closeLabel={props.crew.t.close}
  >
    {photo ? <Form key={photo.id} photo={photo} {...props} /> : null}
  </Sheet>
)

import { useState } from 'react'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../../ui/field/FieldInput.tsx'
import type { Crew } from '../data.ts'
import { treatTexts } from './treatTexts.ts'

/** A crew is never held at a lawn: it finishes without a complete record and says why, and the office reads it. */
export const NoRecordPart = ({ crew, onFinish }: { crew: Crew; onFinish: (why: string) => void }) => {
  const words = treatTexts[crew.language]
  const [open, setOpen] = useState(false)
  const [why, setWhy] = useState('')
  const [asked, setAsked] = useState(false)
  if (!open) return <FieldButton onClick={() => setOpen(true)}>{words.finishWithout}</FieldButton>
  return (
    <>
      <FieldInput
        label={words.whyWithout}
        hint={words.whyHint}
        error={asked && !why.trim() ? words.whyNeeded : undefined}
        value={why}
        onChange={setWhy}
        lines={2}
        maxLength={500}
      />
      <FieldButton
        kind="danger"
        onClick={() => {
          setAsked(true)
          if (why.trim()) onFinish(why.trim())
        }}
      >
        {words.finishWithoutNow}
      </FieldButton>
    </>
  )
}

import { useState } from 'react'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../ui/field/FieldInput.tsx'

type Words = { open: string; why: string; hint: string; needed: string; finish: string }

/** Finishes although something is missing: a button that asks why first, and goes on only with a reason. */
export const FinishWithout = ({ words, onFinish }: { words: Words; onFinish: (why: string) => void }) => {
  const [open, setOpen] = useState(false)
  const [why, setWhy] = useState('')
  const [asked, setAsked] = useState(false)
  if (!open) return <FieldButton onClick={() => setOpen(true)}>{words.open}</FieldButton>
  return (
    <>
      <FieldInput
        label={words.why}
        hint={words.hint}
        error={asked && !why.trim() ? words.needed : undefined}
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
        {words.finish}
      </FieldButton>
    </>
  )
}

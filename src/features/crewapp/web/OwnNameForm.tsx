import { useState } from 'react'
import { ApiError, call } from '../../../shared/client.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { messageIn } from '../../../shared/spanishMessages.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { ChoiceList } from '../../../ui/field/ChoiceList.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { type Clash, changedFields, saveOver } from '../../../ui/saveOver.ts'
import { type Me, meApi } from '../../accounts/me/contract.ts'
import { useChangeMe } from '../../accounts/me/web/data.ts'
import { SheetForm } from './SheetForm.tsx'
import type { Texts } from './texts.ts'

type Own = { name: string; phone: string }
type Side = 'theirs' | 'mine'
type Save = (over: Me, mine: Partial<Own>) => Promise<void>

const read = ({ name, phone }: Me): Own => ({ name, phone: phone ? formatPhone(phone) : '' })
const source = { read, load: () => call(meApi.get, {}) }

/** What the office changed meanwhile beside what was typed here; nothing is chosen beforehand. */
const Answers = ({ clash, t, onSave }: { clash: Clash<Me, Own>; t: Texts; onSave: Save }) => {
  const { theirs, mine, fields } = clash
  const saved = read(theirs)
  const [chosen, setChosen] = useState<Partial<Record<keyof Own, Side>>>({})
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const keep = async () => {
    setBusy(true)
    setFailed(null)
    try {
      const kept = Object.entries(mine).filter(([field]) => chosen[field as keyof Own] !== 'theirs')
      await onSave(theirs, Object.fromEntries(kept))
    } catch (error) {
      setFailed(error instanceof ApiError ? messageIn(t.speaks, error.message, t.own.failed) : t.own.failed)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="c-stack">
      <Alert tone="wait">{t.own.clash}</Alert>
      {fields.map((field) => (
        <ChoiceList<Side>
          key={field}
          label={t.own[field]}
          value={chosen[field] ?? null}
          onChange={(side) => setChosen({ ...chosen, [field]: side })}
          choices={[
            { value: 'theirs', label: t.own.savedOne(saved[field] || t.own.empty) },
            { value: 'mine', label: t.own.typedOne(mine[field] || t.own.empty) },
          ]}
        />
      ))}
      {failed ? <Alert tone="danger">{failed}</Alert> : null}
      <FieldButton
        kind="main"
        busy={busy}
        disabled={fields.some((field) => !chosen[field])}
        onClick={() => void keep()}
      >
        {t.own.saveChosen}
      </FieldButton>
    </div>
  )
}

/** Name and phone: sends the version it was opened with and what was changed, as every form does; in the looks of the crew app. */
export const OwnNameForm = ({ me, t, onSaved }: { me: Me; t: Texts; onSaved: () => void }) => {
  const [opened] = useState(me)
  const [clash, setClash] = useState<Clash<Me, Own> | null>(null)
  const change = useChangeMe()
  const save: Save = async (over, mine) => {
    const next = await saveOver(source, over, mine, ({ phone, ...rest }: Partial<Own>, { version }: Me) =>
      change.mutateAsync({ ...rest, ...(phone === undefined ? {} : { phone: phone.trim() || null }), version }),
    )
    setClash(next)
    if (!next) onSaved()
  }
  if (clash) return <Answers key={clash.theirs.version} clash={clash} t={t} onSave={save} />
  const first = read(opened)
  return (
    <SheetForm
      action={t.own.save}
      failed={t.own.failed}
      language={t.speaks}
      fields={[
        { name: 'name', label: t.own.name, autoComplete: 'name', first: first.name },
        { name: 'phone', label: t.own.phone, type: 'tel', autoComplete: 'tel', first: first.phone },
      ]}
      onSave={({ name = '', phone = '' }) => save(opened, changedFields(first, { name, phone }))}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { segmentsQuery, useSegments } from '../../web/data.ts'
import { segmentsApi } from '../contract.ts'
import type { Condition } from '../rules.ts'

const same = (a: readonly Condition[], b: readonly Condition[]): boolean => JSON.stringify(a) === JSON.stringify(b)

const SaveDialog = ({ conditions, onClose }: { conditions: Condition[]; onClose: () => void }) => {
  const { create } = useSegments()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const save = () => {
    if (name.trim() === '') return setProblem('Name the audience.')
    create.mutate(
      { name, conditions },
      {
        onSuccess: () => {
          toast.success(`${name.trim()} is saved`)
          onClose()
        },
        onError: (error) => setProblem(error.message),
      },
    )
  }
  return (
    <Dialog open onClose={onClose} title="Save this audience" size="s">
      <form
        className="sg-save"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          autoFocus
          label="Name"
          maxLength={60}
          value={name}
          error={problem}
          onChange={(next) => {
            setName(next)
            setProblem(undefined)
          }}
        />
        <Button kind="primary" type="submit" calls={segmentsApi.create} loading={create.isPending}>
          Save audience
        </Button>
      </form>
    </Dialog>
  )
}

type Props = { conditions: Condition[]; onPick: (conditions: Condition[]) => void }

/** Audiences that were kept under a name: taken up, saved, and taken out of use. A campaign keeps its own conditions. */
export const SavedSegments = ({ conditions, onPick }: Props) => {
  const list = useQuery(segmentsQuery)
  const { archive, update } = useSegments()
  const [picked, setPicked] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const items = list.data?.items ?? []
  const current = items.find((one) => same(one.conditions as Condition[], conditions))
  // taken up and changed since
  const changed = current ? undefined : items.find(({ id }) => id === picked)
  return (
    <div className="sg-saved">
      {items.length > 0 ? (
        <SelectField
          label="Saved audience"
          value={current?.id ?? ''}
          placeholder="None"
          options={items.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => {
            setPicked(id || null)
            onPick((items.find((one) => one.id === id)?.conditions ?? []) as Condition[])
          }}
        />
      ) : null}
      {current ? (
        <Button
          size="s"
          kind="quiet"
          calls={segmentsApi.archive}
          loading={archive.isPending}
          onClick={() =>
            archive.mutate(current.id, {
              onSuccess: () => toast.success(`${current.name} is archived`),
              onError: toast.error,
            })
          }
        >
          Archive {current.name}
        </Button>
      ) : conditions.length > 0 ? (
        <Button size="s" kind="quiet" calls={segmentsApi.create} onClick={() => setSaving(true)}>
          Save under a name
        </Button>
      ) : null}
      {changed && conditions.length > 0 ? (
        <Button
          size="s"
          kind="quiet"
          calls={segmentsApi.update}
          loading={update.isPending}
          onClick={() =>
            update.mutate(
              { id: changed.id, version: changed.version, conditions },
              { onSuccess: () => toast.success(`${changed.name} is saved`), onError: toast.error },
            )
          }
        >
          Save into {changed.name}
        </Button>
      ) : null}
      {saving ? <SaveDialog conditions={conditions} onClose={() => setSaving(false)} /> : null}
    </div>
  )
}

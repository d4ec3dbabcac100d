import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type Material, materialsApi } from '../contract.ts'
import { packagesText } from '../rules.ts'
import { useMaterialVerb, useRefresh } from './data.ts'

export type Move = 'count' | 'receive' | 'use'
type Of = Pick<Material, 'id' | 'name' | 'package' | 'onHand'>
type Props = { material: Of; move: Move /** What is likely typed. */; usual?: number; onClose: () => void }

const words = {
  count: { title: 'Count', label: 'There are', save: 'Save the count', note: 'Why it differs' },
  receive: { title: 'Received', label: 'Came in', save: 'Save what came in', note: 'From whom' },
  use: { title: 'Used', label: 'Used', save: 'Save what was used', note: 'What for' },
} as const

const Moving = ({ material, move, usual, onClose }: Props) => {
  const count = useMaterialVerb(material.id, 'count')
  const receive = useMaterialVerb(material.id, 'receive')
  const use = useMaterialVerb(material.id, 'use')
  const form = useForm<{ onHand: number | null; packages: number | null; note: string }>({
    defaultValues: { onHand: null, packages: usual ?? null, note: '' },
  })
  // what somebody goes by who types: it stays though another one moves it meanwhile, until they were told
  const [began, setBegan] = useState<number | null>(material.onHand)
  const seen = began ?? material.onHand
  const refresh = useRefresh()
  const { title, label, save, note } = words[move]
  return (
    <Form
      form={form}
      label={title}
      onSubmit={async ({ onHand, packages, note: why }) => {
        const saved = await (move === 'count'
          ? count.mutateAsync({ onHand: onHand ?? 0, seenOnHand: seen, note: why })
          : move === 'receive'
            ? receive.mutateAsync({ packages: packages ?? 0, seenOnHand: seen, note: why })
            : use.mutateAsync({ packages: packages ?? 0, note: why })
        ).catch((error: unknown) => {
          setBegan(null)
          refresh()
          throw error
        })
        toast.success(`${saved.name}: ${packagesText(saved.onHand, saved.package)} on hand`)
        onClose()
      }}
    >
      <p className="muted">{packagesText(seen, material.package)} on hand.</p>
      <FormField control={form.control} name={move === 'count' ? 'onHand' : 'packages'} needed="How many?">
        {(f) => <NumberField label={label} unit={material.package} min={0} autoFocus {...f} />}
      </FormField>
      <FormField control={form.control} name="note">
        {(f) => <TextField label={note} optional maxLength={300} {...f} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" calls={materialsApi[move]} loading={form.formState.isSubmitting}>
          {save}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** What there is of a material becomes more, less, or what was counted. */
export const MoveDialog = ({ material, move, ...rest }: Omit<Props, 'move'> & { move: Move | null }) => (
  <Dialog
    open={move !== null}
    onClose={rest.onClose}
    title={move ? `${words[move].title}: ${material.name}` : ''}
    size="s"
  >
    {move ? <Moving material={material} move={move} {...rest} /> : null}
  </Dialog>
)

import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { useCustomFields } from '../custom/web/data.ts'
import { mostColumns, useExtraColumns } from './extraColumns.ts'
import type { Place } from './filter.ts'

type Props = { place: Pick<Place, 'params' | 'change'>; onClose: () => void }

/** Which columns the list has besides the usual ones. A saved view keeps them. */
export const ColumnsDialog = ({ place, onClose }: Props) => {
  const fields = useCustomFields()
  const { shown: before, show } = useExtraColumns(place)
  // the address follows a moment later
  const [shown, setShown] = useState(before)
  const choices = [
    { id: 'email', label: 'E-mail', hint: '' },
    ...fields.map(({ id, name, record }) => ({
      id,
      label: name,
      hint: record === 'property' ? 'of the property' : '',
    })),
  ]
  const isFull = choices.filter(({ id }) => shown.includes(id)).length >= mostColumns
  return (
    <Dialog open onClose={onClose} size="s" title="Columns of the list">
      <div className="custom-columns">
        {choices.map(({ id, label, hint }) => (
          <CheckboxField
            key={id}
            label={label}
            hint={hint}
            value={shown.includes(id)}
            disabled={isFull && !shown.includes(id)}
            onChange={(on) => {
              const next = choices.map((one) => one.id).filter((one) => (one === id ? on : shown.includes(one)))
              setShown(next)
              show(next)
            }}
          />
        ))}
        <p className="hint">
          {fields.length === 0
            ? 'Fields that you add in the settings under Business can stand here, too.'
            : `At most ${mostColumns} at once. A view that you save keeps its columns.`}
        </p>
        <FormActions>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </FormActions>
      </div>
    </Dialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { IconArchive, IconPencil, IconPlus } from '../../../../ui/icons.ts'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { type MessageTemplate, messageTemplatesApi } from '../contract.ts'
import { templatesQuery, useArchiveTemplate, useRestoreTemplate } from './data.ts'
import { TemplateForm } from './TemplateForm.tsx'
import './templates.css'

const Row = ({ template, onEdit }: { template: MessageTemplate; onEdit: () => void }) => {
  const [archive, restore] = [useArchiveTemplate(), useRestoreTemplate()]
  const { id, name, version } = template
  return (
    <li>
      <span className="mt-words">
        <b>{name}</b>
        <span>{template.textEn}</span>
        <span lang={template.textEs ? 'es' : undefined} className={template.textEs ? '' : 'hint'}>
          {template.textEs || 'No Spanish text: customers who read Spanish get the English one.'}
        </span>
      </span>
      <span className="mt-actions">
        <Button
          size="s"
          calls={messageTemplatesApi.update}
          icon={<IconPencil />}
          aria-label={`Edit ${name}`}
          onClick={onEdit}
        >
          Edit
        </Button>
        <Button
          size="s"
          kind="quiet"
          calls={messageTemplatesApi.archive}
          icon={<IconArchive />}
          aria-label={`Archive ${name}`}
          loading={archive.isPending}
          onClick={() =>
            archive.mutate(
              { id, version },
              {
                onSuccess: () => toast.undo(`${name} is archived`, () => restore.mutateAsync(id)),
                onError: toast.error,
              },
            )
          }
        >
          Archive
        </Button>
      </span>
    </li>
  )
}

const List = ({ onEdit, onNew }: { onEdit: (template: MessageTemplate) => void; onNew: () => void }) => {
  const found = useQuery(templatesQuery)
  if (found.isError && !found.data)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data) return <PanelSkeleton />
  return (
    <>
      <div className="mt-head">
        <p className="hint">Words that you send again and again, with what is filled in for each customer.</p>
        <Button calls={messageTemplatesApi.create} kind="primary" icon={<IconPlus />} onClick={onNew}>
          New template
        </Button>
      </div>
      {found.data.items.length === 0 ? (
        <EmptyState compact title="No template yet">
          Make one for what you write most: running late, the gate, what is owed.
        </EmptyState>
      ) : (
        <ul className="mt-list" aria-label="Templates">
          {found.data.items.map((template) => (
            <Row key={template.id} template={template} onEdit={() => onEdit(template)} />
          ))}
        </ul>
      )}
    </>
  )
}

/** The templates of the business: made, changed, archived. */
export const ManageTemplates = ({ onClose }: { onClose: () => void }) => {
  const [editing, setEditing] = useState<MessageTemplate | 'new' | null>(null)
  const back = () => setEditing(null)
  return (
    <Dialog
      open
      onClose={onClose}
      size="l"
      closeOnOutside={editing === null}
      title={editing === null ? 'Message templates' : editing === 'new' ? 'New template' : `Edit ${editing.name}`}
    >
      {editing === null ? (
        <List onEdit={setEditing} onNew={() => setEditing('new')} />
      ) : (
        <TemplateForm template={editing === 'new' ? null : editing} onDone={back} />
      )}
    </Dialog>
  )
}

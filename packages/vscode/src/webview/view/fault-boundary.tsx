import { messageOf } from 'loopfuse/words';
import { Component, type ComponentChildren } from 'preact';

interface Props {
  readonly children: ComponentChildren;
  /** Called once with the error message. */
  readonly onFault: (message: string) => void;
}

/** Shows a note in place of children that fail to render; everything around them stays. */
export class FaultBoundary extends Component<Props, { fault?: string }> {
  override state: { fault?: string } = {};

  override componentDidCatch(fault: unknown): void {
    const message = messageOf(fault);
    this.setState({ fault: message });
    this.props.onFault(`something could not be drawn: ${message}`);
  }

  render(): ComponentChildren {
    if (this.state.fault === undefined) return this.props.children;
    return (
      <p class="note" data-testid="item-note" data-tone="bad">
        This could not be shown: {this.state.fault}
      </p>
    );
  }
}

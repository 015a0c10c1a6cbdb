// Command agent is an agent that remembers facts from run to run, and asks a person before it edits
// the user's profile: `agent ADDRESS`.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"google.golang.org/protobuf/proto"
	vademecum "vademecum.example/clients/go"
	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

const (
	user  = "ada"
	agent = "guide"
)

func main() {
	for _, run := range []func(context.Context, *vademecum.Client) error{firstRun, approval, secondRun} {
		client, err := vademecum.Connect(os.Args[1])
		if err != nil {
			log.Fatal(err)
		}
		if err := run(context.Background(), client); err != nil {
			log.Fatal(err)
		}
		if err := client.Close(); err != nil {
			log.Fatal(err)
		}
	}
}

func firstRun(ctx context.Context, client *vademecum.Client) error {
	memories := client.Memories(user, agent)
	recalled, err := memories.Recall(ctx, &vademecumv1.SearchRequest{Query: "What does Ada drink?", BudgetTokens: proto.Int32(100)})
	if err != nil {
		return err
	}
	if recalled.Text == "" {
		fmt.Println("Run 1: nothing is remembered yet")
	} else {
		fmt.Println("Run 1:", recalled.Text)
	}

	fact := &vademecumv1.AddRequest{
		Content:    "Ada prefers dry red wine",
		MemoryType: vademecumv1.MemoryType_MEMORY_TYPE_SEMANTIC,
		Tags:       []string{"wine"},
	}
	if _, err := memories.Add(ctx, fact); err != nil {
		return err
	}
	fmt.Println("Run 1: remembers that", fact.Content)

	blocks := client.Blocks(user)
	if _, err := blocks.Put(ctx, &vademecumv1.PutBlockRequest{Label: "profile", Body: "Ada lives in Lyon."}); err != nil {
		return err
	}
	edit := &vademecumv1.ProposeEditRequest{
		Target:    &vademecumv1.ProposeEditRequest_BlockLabel{BlockLabel: "profile"},
		OldString: "Lyon",
		NewString: "Dijon",
		Reasoning: "She says that she has moved",
	}
	if _, err := memories.ProposeEdit(ctx, edit); err != nil {
		return err
	}
	fmt.Println("Run 1: proposes an edit of the profile")
	profile, err := blocks.Get(ctx, &vademecumv1.GetBlockRequest{Label: "profile"})
	if err != nil {
		return err
	}
	fmt.Println("The profile is still:", profile.Block.Body)
	return nil
}

func approval(ctx context.Context, client *vademecum.Client) error {
	pending, err := proposals(ctx, client, vademecumv1.ProposalStatus_PROPOSAL_STATUS_PENDING)
	if err != nil {
		return err
	}
	for _, proposal := range pending {
		if _, err := client.Proposals(user).Approve(ctx, &vademecumv1.ApproveProposalRequest{Id: proposal.Id}); err != nil {
			return err
		}
		fmt.Println("A person approves the edit")
	}
	return nil
}

func secondRun(ctx context.Context, client *vademecum.Client) error {
	recalled, err := client.Memories(user, agent).Recall(ctx, &vademecumv1.SearchRequest{Query: "What does Ada drink?", BudgetTokens: proto.Int32(100)})
	if err != nil {
		return err
	}
	fmt.Println("Run 2: remembered from before:", recalled.Text)
	approved, err := proposals(ctx, client, vademecumv1.ProposalStatus_PROPOSAL_STATUS_APPROVED)
	if err != nil {
		return err
	}
	profile, err := client.Blocks(user).Get(ctx, &vademecumv1.GetBlockRequest{Label: "profile"})
	if err != nil {
		return err
	}
	if len(approved) > 0 {
		fmt.Println("Run 2: the edit is approved, the profile is now:", profile.Block.Body)
	}
	return nil
}

func proposals(ctx context.Context, client *vademecum.Client, status vademecumv1.ProposalStatus) ([]*vademecumv1.Proposal, error) {
	listed, err := client.Proposals(user).List(ctx, &vademecumv1.ListProposalsRequest{Status: status})
	if err != nil {
		return nil, err
	}
	return listed.Proposals, nil
}
